import { seal, unseal, type DerivedKeys, type KeyPurpose, type SealingContext } from '@mocapi/core/internal';
import type { TaskKey } from '@mocapi/tasks';
import { SealedRecordError, type RecordCipher } from './record-cipher.js';

/** The keys of records have nothing in common with those of `requestState`, though both be derived from the same master. */
export const RECORD_KEYS: KeyPurpose = { option: 'encryption', info: 'mcp/taskRecord/v1' };

/** Settings about a deployment's keys. */
export interface KeyRingCipherSettings {
  /** The first seals, all of them open. Derived for {@link RECORD_KEYS}. */
  readonly keys: DerivedKeys;
  /** Whether documents in clear are read as well, as they were written before there were keys. */
  readonly acceptClear: boolean;
}

const VERSION = 'v1';
/** Every document is an object; no sealed one begins like this. */
const CLEAR = '{';

/**
 * Seals documents as `v1.<key id>.<base64url(nonce | ciphertext | tag)>`, AES-256-GCM, bound to the task's key: a record that is moved to another
 * task does not open. What it does not hinder is putting back an earlier document of the same task.
 */
export class KeyRingCipher implements RecordCipher {
  private readonly sealing: readonly [id: string, key: Uint8Array];

  constructor(private readonly settings: KeyRingCipherSettings) {
    this.sealing = settings.keys.entries().next().value!;
  }

  seal(key: TaskKey, document: string): string {
    const [keyId, sealingKey] = this.sealing;
    return `${VERSION}.${keyId}.${seal(document, sealingKey, contextOf(keyId, key))}`;
  }

  open(key: TaskKey, stored: string): string {
    if (stored.startsWith(CLEAR)) return this.clear(key, stored);
    const [version, keyId = '', text, ...rest] = stored.split('.');
    if (version !== VERSION || text === undefined || rest.length > 0) throw damaged(key);
    const openingKey = this.settings.keys.get(keyId);
    // The id is as yet whatever stands there: the log takes no more of it than a key's id may have.
    if (!openingKey)
      throw new SealedRecordError(`The record ${key} was sealed with the key "${keyId.slice(0, 32)}", which is missing in encryption.keys`);
    const document = unseal(text, openingKey, contextOf(keyId, key));
    if (document === undefined) throw damaged(key);
    return document;
  }

  private clear(key: TaskKey, stored: string): string {
    if (this.settings.acceptClear) return stored;
    throw new SealedRecordError(
      `The record ${key} is not encrypted: set encryption.acceptClear if it was written before you turned encryption on`,
    );
  }
}

function contextOf(keyId: string, key: TaskKey): SealingContext {
  return [VERSION, keyId, key];
}

function damaged(key: TaskKey): SealedRecordError {
  return new SealedRecordError(`The record ${key} cannot be opened: it was changed, or it belongs to another task`);
}
