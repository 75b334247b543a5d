import canonicalize from 'canonicalize';
import { hash } from 'node:crypto';
import { invalidParams, type McpError } from '../errors/mcp.error.js';
import type { InputRequest } from '../protocol/messages.js';

/** SHA-256, in hex, over the RFC 8785 canonical JSON of a request: equal for equal requests, however their keys are ordered. */
export function fingerprintRequest(request: InputRequest): string {
  return hash('sha256', canonicalJson(request));
}

/** The RFC 8785 canonical JSON text of a JSON value. @throws Error when it holds a number that JSON has not */
export const canonicalJson = canonicalize as unknown as (value: unknown) => string;

const MAX_LENGTH = 200;

/**
 * Why `key` can name no question and no step, or undefined when it can: it travels in JSON, and clients answer under it, so it must be text that
 * every JSON parser keeps.
 */
export function keyFault(key: unknown): Error | undefined {
  if (typeof key !== 'string') return new TypeError(`The key of a question or step must be a string, not ${typeof key}`);
  if (key.length > MAX_LENGTH)
    return new TypeError(`The key of a question or step must have at most ${MAX_LENGTH} characters, but it has ${key.length}`);
  if (!key.isWellFormed()) return new TypeError('The key of a question or step must be well-formed Unicode');
  if (key === '__proto__') return new TypeError('A question or step cannot be named "__proto__", which clients may not send');
  return undefined;
}

/** The error of a key that one run reached twice. */
export function keyTwice(key: string): Error {
  return new Error(`The key "${key}" was used twice in one execution; every question and step of a handler needs its own key`);
}

/** The error of a key that was reached with something else than it holds. */
export function keyChanged(key: string): McpError {
  return invalidParams(
    `The handler reached "${key}" with another question than before; a handler's questions must not change between its runs`,
  );
}
