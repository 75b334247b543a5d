import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { InputRequest } from '../protocol/messages.js';

/** SHA-256, in hex, over the RFC 8785 canonical JSON of a request: equal for equal requests, however their keys are ordered. */
export function fingerprintRequest(request: InputRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

/** The RFC 8785 canonical JSON text of a value. */
export function canonicalJson(value: unknown): string {
  return (canonicalize as unknown as (input: unknown) => string | undefined)(value) ?? 'null';
}
