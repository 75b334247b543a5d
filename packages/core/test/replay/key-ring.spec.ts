import { hkdfSync, randomBytes } from 'node:crypto';
import { deriveKeys, ephemeralKeyRing, type KeyRing } from '../../src/replay/key-ring.js';

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index * 4));

describe('a key', () => {
  it('is the same as bytes, as base64 and as base64url, padded or not', () => {
    const forms = [KEY, new Uint8Array(KEY), KEY.toString('base64'), KEY.toString('base64').replace('=', ''), KEY.toString('base64url')];
    expect(KEY.toString('base64')).toMatch(/[+/]/);
    const derived = forms.map((key) => Buffer.from(deriveKeys([{ id: 'a', key }]).get('a')!).toString('hex'));
    expect(new Set(derived).size).toBe(1);
  });

  it('is never used itself: what seals is derived from it for this use alone', () => {
    const derived = deriveKeys([{ id: 'a', key: KEY }]).get('a')!;
    expect(Buffer.from(derived)).toEqual(Buffer.from(hkdfSync('sha256', KEY, '', 'mcp/requestState/v1', 32)));
    expect(Buffer.from(derived).equals(KEY)).toBe(false);
  });

  it('derives something else for another purpose, whose name its faults bear', () => {
    const other = { option: 'encryption', info: 'another/v1' };
    const [state, derived] = [deriveKeys([{ id: 'a', key: KEY }]), deriveKeys([{ id: 'a', key: KEY }], other)];
    expect(Buffer.from(derived.get('a')!).equals(state.get('a')!)).toBe(false);
    expect(() => deriveKeys([{ id: 'a', key: 'no base64!' }], other)).toThrow(/The encryption key "a" is not base64/);
    expect(() => deriveKeys([], other)).toThrow(/encryption.keys is empty/);
  });

  it.each([0, 16, 31, 33, 64])('of %i bytes is refused, by its id and its size', (size) => {
    const key = randomBytes(size);
    for (const form of [key, key.toString('base64'), key.toString('base64url')]) {
      expect(() => deriveKeys([{ id: 'short', key: form }])).toThrow(new RegExp(`"short" must be 32 bytes.*it has ${size}`));
    }
  });

  it.each([
    'correct horse battery staple, correct horse!!!!!!!!',
    `${KEY.toString('base64')}\n`,
    ` ${KEY.toString('base64')}`,
    `=${KEY.toString('base64')}`,
    `${KEY.toString('base64')}=====`,
    `${KEY.toString('base64').slice(0, 20)}.${KEY.toString('base64').slice(20)}`,
  ])('that is not base64 is refused, not guessed at: %j', (key) => {
    expect(() => deriveKeys([{ id: 'typed', key }])).toThrow(/"typed" is not base64/);
  });

  it.each([undefined, null, 7, {}])('that is missing is said to be: %p', (key) => {
    expect(() => deriveKeys([{ id: 'unset', key: key as never }])).toThrow(/"unset" is missing/);
  });
});

describe('a key id', () => {
  it.each(['a', 'A-z_09', '2026-01', 'x'.repeat(32)])('may be %j', (id) => {
    expect([...deriveKeys([{ id, key: KEY }]).keys()]).toEqual([id]);
  });

  it.each(['', 'a.b', 'a b', 'ä', 'x'.repeat(33), 'a\n', '../a', '\ud800'])('may not be %j', (id) => {
    expect(() => deriveKeys([{ id, key: KEY }])).toThrow(/must be 1 to 32 of/);
  });

  it('may not stand twice, even with the same key', () => {
    expect(() =>
      deriveKeys([
        { id: 'a', key: KEY },
        { id: 'b', key: KEY },
        { id: 'a', key: KEY },
      ]),
    ).toThrow(/"a" is used twice/);
  });
});

describe('a ring', () => {
  it('keeps its order: the first key seals', () => {
    const ring: KeyRing = ['new', 'old', 'oldest'].map((id) => ({ id, key: randomBytes(32) }));
    expect([...deriveKeys(ring).keys()]).toEqual(['new', 'old', 'oldest']);
  });

  it('without a key is refused', () => {
    expect(() => deriveKeys([])).toThrow(/keys is empty/);
  });

  it('made up for one process is one random key', () => {
    const [one, other] = [ephemeralKeyRing(), ephemeralKeyRing()];
    expect(one).toHaveLength(1);
    expect(Buffer.from(one[0]!.key as Uint8Array).equals(Buffer.from(other[0]!.key as Uint8Array))).toBe(false);
    expect(deriveKeys(one).size).toBe(1);
  });
});
