import { randomBytes } from 'node:crypto';
import { deriveKeys, type KeyRing } from '@mocapi/core/internal';
import { newTaskId, taskKeyOf, type TaskKey } from '@mocapi/tasks';
import { KeyRingCipher, RECORD_KEYS } from '../../src/encryption/key-ring-cipher.js';
import { SealedRecordError } from '../../src/encryption/record-cipher.js';

const newKey = (): TaskKey => taskKeyOf({ id: 'ann' }, newTaskId());
const ring = (...ids: string[]): KeyRing => ids.map((id) => ({ id, key: randomBytes(32) }));
const cipherOf = (keys: KeyRing, acceptClear = false): KeyRingCipher =>
  new KeyRingCipher({ keys: deriveKeys(keys, RECORD_KEYS), acceptClear });

const DOCUMENT = JSON.stringify({ arguments: { secret: 'hunter2 – größer 🔑' } });
const KEYS = ring('a');
const cipher = cipherOf(KEYS);
const key = newKey();

/** What opening meets with. */
function fault(open: () => string): Error {
  try {
    return new Error(`it opened: ${open()}`);
  } catch (error) {
    return error as Error;
  }
}

describe('a sealed document', () => {
  it('comes back as it was', () => {
    expect(cipher.open(key, cipher.seal(key, DOCUMENT))).toBe(DOCUMENT);
  });

  it('shows nothing of its text, and is another each time', () => {
    const [one, other] = [cipher.seal(key, DOCUMENT), cipher.seal(key, DOCUMENT)];
    expect(one).not.toBe(other);
    expect(one).toMatch(/^v1\.a\.[\w-]+$/);
    expect(Buffer.from(one.split('.')[2]!, 'base64url').includes('hunter2')).toBe(false);
  });

  it('does not open as the record of another task', () => {
    const error = fault(() => cipher.open(newKey(), cipher.seal(key, DOCUMENT)));
    expect(error).toBeInstanceOf(SealedRecordError);
    expect(error.message).toMatch(/cannot be opened/);
  });

  it('does not open with any one of its bytes changed', () => {
    const [version, id, text] = cipher.seal(key, DOCUMENT).split('.');
    const bytes = Buffer.from(text!, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const forged = Buffer.from(bytes);
      forged[at]! ^= 1;
      expect(() => cipher.open(key, `${version}.${id}.${forged.toString('base64url')}`)).toThrow(SealedRecordError);
    }
  });

  it.each<[string, (parts: [string, string, string]) => string]>([
    ['of another version', ([, id, text]) => `v2.${id}.${text}`],
    ['without a version', ([, id, text]) => `${id}.${text}`],
    ['with a part more', ([version, id, text]) => `${version}.${id}.${text}.`],
    ['without its text', ([version, id]) => `${version}.${id}.`],
    ['cut short', ([version, id, text]) => `${version}.${id}.${text.slice(0, -4)}`],
    ['shorter than nonce and tag', ([version, id]) => `${version}.${id}.AAAA`],
    ['with junk that a lenient decoder skips', ([version, id, text]) => `${version}.${id}.${text.slice(0, 8)}=${text.slice(8)}`],
    ['in the other alphabet of base64', ([version, id, text]) => `${version}.${id}.${text.replaceAll('-', '+').replaceAll('_', '/')}=`],
    ['with a byte behind it', ([version, id, text]) => `${version}.${id}.${text}AA`],
    ['that is empty', () => ''],
  ])('%s does not open', (_how, forge) => {
    // Of a length at which base64 has no bits to spare.
    const parts = cipher.seal(key, `{"p":"${'x'.repeat(9)}"}`).split('.') as [string, string, string];
    expect(() => cipher.open(key, forge(parts))).toThrow(SealedRecordError);
  });

  it('does not open under the name of another key of the ring', () => {
    const two = cipherOf([...KEYS, ...ring('b')]);
    expect(() => two.open(key, two.seal(key, DOCUMENT).replace('v1.a.', 'v1.b.'))).toThrow(SealedRecordError);
  });

  it('under a key that the ring has no more is said to be, by the id of the key', () => {
    const error = fault(() => cipherOf(ring('b')).open(key, cipher.seal(key, DOCUMENT)));
    expect(error).toBeInstanceOf(SealedRecordError);
    expect(error.message).toContain('"a"');
  });

  it.each(['__proto__', 'constructor', 'toString'])('under the id %s finds no key', (id) => {
    expect(() => cipher.open(key, `v1.${id}.${'A'.repeat(60)}`)).toThrow(/is missing in/);
  });

  it('is not what requestState of the same master key would open', () => {
    const state = new KeyRingCipher({ keys: deriveKeys(KEYS), acceptClear: false });
    expect(() => state.open(key, cipher.seal(key, DOCUMENT))).toThrow(SealedRecordError);
  });
});

describe('a key ring', () => {
  it('seals with its first key and opens with all, so that keys change without losing a record', () => {
    const [old, fresh] = [ring('old'), ring('new')];
    const before = cipherOf(old).seal(key, DOCUMENT);
    const announced = cipherOf([...old, ...fresh]);
    const turned = cipherOf([...fresh, ...old]);
    expect(announced.seal(key, DOCUMENT)).toMatch(/^v1\.old\./);
    expect(turned.open(key, before)).toBe(DOCUMENT);
    const after = turned.seal(key, DOCUMENT);
    expect(after).toMatch(/^v1\.new\./);
    expect(announced.open(key, after)).toBe(DOCUMENT);
    expect(cipherOf(fresh).open(key, after)).toBe(DOCUMENT);
  });
});

describe('a document in clear', () => {
  it('is refused, with the option that would take it', () => {
    const error = fault(() => cipher.open(key, DOCUMENT));
    expect(error).toBeInstanceOf(SealedRecordError);
    expect(error.message).toContain('encryption.acceptClear');
  });

  it('is read where the option says so, and sealed when it is written again', () => {
    const migrating = cipherOf(KEYS, true);
    expect(migrating.open(key, DOCUMENT)).toBe(DOCUMENT);
    expect(cipher.open(key, migrating.seal(key, DOCUMENT))).toBe(DOCUMENT);
  });
});
