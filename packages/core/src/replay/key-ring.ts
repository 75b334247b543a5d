import { hkdfSync, randomBytes } from 'node:crypto';

/** Keys that seal and open, the sealing one first. A key is 32 bytes, or their base64 or base64url text. */
export type KeyRing = readonly { readonly id: string; readonly key: Uint8Array | string }[];

/** A key ring ready for use: ids and the keys derived from the masters. */
export type DerivedKeys = ReadonlyMap<string, Uint8Array>;

/** Purpose of derived keys. The keys of different purposes have nothing in common, though their masters be the same. */
export interface KeyPurpose {
  /** The option that holds the ring, for messages. */
  readonly option: string;
  /** Told to the derivation: a text that no other purpose has. */
  readonly info: string;
}

const REQUEST_STATE: KeyPurpose = { option: 'requestState', info: 'mcp/requestState/v1' };
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * Derives the sealing keys, once, at boot.
 * @throws Error naming the key that is not 32 bytes, or the id that is not 1 to 32 URL-safe characters or stands twice
 */
export function deriveKeys(ring: KeyRing, { option, info }: KeyPurpose = REQUEST_STATE): DerivedKeys {
  const derived = new Map<string, Uint8Array>();
  for (const { id, key } of ring) {
    if (!KEY_ID.test(id)) throw new Error(`The ${option} key id "${id}" must be 1 to 32 of A-Z a-z 0-9 _ -`);
    if (derived.has(id)) throw new Error(`The ${option} key id "${id}" is used twice`);
    derived.set(id, new Uint8Array(hkdfSync('sha256', masterBytes(`${option} key "${id}"`, key), '', info, 32)));
  }
  if (derived.size === 0) throw new Error(`${option}.keys is empty: leave ${option} out, or set at least one key`);
  return derived;
}

/** A ring of one random key: tokens die with the process. */
export function ephemeralKeyRing(): KeyRing {
  return [{ id: 'ephemeral', key: randomBytes(32) }];
}

function masterBytes(name: string, key: Uint8Array | string): Uint8Array {
  // Node's decoder skips what is not base64: a pass phrase must not come out as a key.
  if (typeof key === 'string' && !BASE64.test(key)) throw new Error(`The ${name} is not base64: use 32 random bytes as base64`);
  if (typeof key !== 'string' && !ArrayBuffer.isView(key)) throw new Error(`The ${name} is missing`);
  const bytes = typeof key === 'string' ? Buffer.from(key, 'base64') : key;
  if (bytes.length !== 32) throw new Error(`The ${name} must be 32 bytes (base64 of 32 bytes), but it has ${bytes.length}`);
  return bytes;
}
