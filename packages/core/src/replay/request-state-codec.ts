import { createHash } from 'node:crypto';
import { invalidParams, McpError } from '../errors/mcp.error.js';
import type { JsonObject } from '../protocol/json.js';
import { canonicalJson } from './slot.js';
import type { DerivedKeys } from './key-ring.js';
import type { LedgerSnapshot } from './ledger.js';
import { seal, unseal, type SealingContext } from './sealing.js';

/** The call a token belongs to. A token of another caller, tool or argument set fails decryption, before anything in it is read. */
export interface RequestStateBinding {
  readonly method: string;
  readonly target: string;
  readonly arguments: JsonObject;
  /** Undefined: an anonymous caller, in a domain of its own. */
  readonly principalId: string | undefined;
}

/** How tokens are made and how long they hold. */
export interface RequestStateSettings {
  readonly keys: DerivedKeys;
  readonly ttlMs: number;
  /** Characters of a token at the most, both ways. */
  readonly maxLength: number;
  readonly now: () => number;
}

const VERSION = 'v1';

/**
 * Seals a ledger into the opaque `requestState` of a call and opens it again (MCP basic "Multi round-trip requests").
 * `v1.<key id>.<base64url(nonce | ciphertext | tag)>`, AES-256-GCM, bound to the call by its additional data.
 */
export class RequestStateCodec {
  constructor(private readonly settings: RequestStateSettings) {}

  /** @throws Error when the token would outgrow the limit, naming the largest recorded step */
  seal(ledger: LedgerSnapshot, binding: RequestStateBinding): string {
    const [keyId, key] = this.settings.keys.entries().next().value!;
    const payload = JSON.stringify({ exp: this.settings.now() + this.settings.ttlMs, ledger });
    const token = `${VERSION}.${keyId}.${seal(payload, key, sealingContext(keyId, binding))}`;
    if (token.length > this.settings.maxLength) throw tooLarge(ledger, this.settings.maxLength);
    return token;
  }

  /** @throws McpError -32602, the same for every way in which a token can be wrong */
  open(token: unknown, binding: RequestStateBinding): LedgerSnapshot {
    const payload = this.decrypt(token, binding);
    if (!payload || payload.exp < this.settings.now()) throw invalidRequestState();
    return payload.ledger;
  }

  private decrypt(token: unknown, binding: RequestStateBinding): { exp: number; ledger: LedgerSnapshot } | undefined {
    if (typeof token !== 'string' || token.length > this.settings.maxLength) return undefined;
    const [version, keyId, text, ...rest] = token.split('.');
    const key = keyId === undefined ? undefined : this.settings.keys.get(keyId);
    if (version !== VERSION || !key || text === undefined || rest.length > 0) return undefined;
    const payload = unseal(text, key, sealingContext(keyId!, binding));
    return payload === undefined ? undefined : (JSON.parse(payload) as { exp: number; ledger: LedgerSnapshot });
  }
}

function sealingContext(keyId: string, binding: RequestStateBinding): SealingContext {
  const digest = createHash('sha256').update(canonicalJson(binding.arguments)).digest('base64url');
  const principal = binding.principalId === undefined ? 'anonymous' : `id:${binding.principalId}`;
  return [VERSION, keyId, binding.method, binding.target, digest, principal];
}

function invalidRequestState(): McpError {
  return invalidParams('Invalid requestState: send the call again without requestState and inputResponses');
}

function tooLarge(ledger: LedgerSnapshot, maxLength: number): Error {
  const sizes = ledger.map((entry) => ({ entry, size: JSON.stringify(entry).length }));
  const largest = sizes.reduce((most, one) => (one.size > most.size ? one : most));
  return new Error(
    `The answers and steps of this call exceed the ${maxLength} characters of a requestState; the largest is ${largest.entry.kind} "${largest.entry.key}" with ${largest.size}. Record less, or make the tool a task`,
  );
}
