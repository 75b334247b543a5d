import { randomBytes } from 'node:crypto';
import { McpError } from '../../src/errors/mcp.error.js';
import { deriveKeys, type KeyRing } from '../../src/replay/key-ring.js';
import type { LedgerSnapshot } from '../../src/replay/ledger.js';
import { RequestStateCodec, type RequestStateBinding, type RequestStateSettings } from '../../src/replay/request-state-codec.js';
import { recorded } from './support.js';

const RING: KeyRing = [{ id: 'k1', key: randomBytes(32) }];
const BINDING: RequestStateBinding = { method: 'tools/call', target: 'order', arguments: { item: 'tea', count: 2 }, principalId: 'alice' };
const LEDGER: LedgerSnapshot = recorded({ charge: { id: 'ch_4711' } });
const TTL = 600_000;

function codec(settings: Partial<Omit<RequestStateSettings, 'keys'>> & { ring?: KeyRing } = {}): RequestStateCodec {
  const { ring = RING, ...rest } = settings;
  return new RequestStateCodec({ keys: deriveKeys(ring), ttlMs: TTL, maxLength: 65_536, now: () => 1_000, ...rest });
}

/** What opening a token comes to: the ledger, or the whole error as text. */
function opening(token: unknown, binding = BINDING, by = codec()): unknown {
  try {
    return by.open(token, binding);
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const { code, message, data } = error;
    return JSON.stringify({ code, message, data });
  }
}

const REFUSAL = JSON.stringify({
  code: -32602,
  message: 'Invalid requestState: send the call again without requestState and inputResponses',
});
const TOKEN = codec().seal(LEDGER, BINDING);
const [, , TEXT = ''] = TOKEN.split('.');
const BYTES = Buffer.from(TEXT, 'base64url');
const withBytes = (bytes: Uint8Array, kid = 'k1'): string => `v1.${kid}.${Buffer.from(bytes).toString('base64url')}`;

describe('a token', () => {
  it('opens to the ledger it was sealed with, for the same call', () => {
    expect(opening(TOKEN)).toEqual(LEDGER);
    expect(opening(TOKEN, { ...BINDING, arguments: { count: 2, item: 'tea' } })).toEqual(LEDGER);
  });

  it('opens as often as it is sent while it lasts, and to the same', () => {
    expect([opening(TOKEN), opening(TOKEN), opening(TOKEN)]).toEqual([LEDGER, LEDGER, LEDGER]);
  });

  it('is what the format says: version, key id, base64url of nonce, ciphertext and a tag of 16 bytes', () => {
    expect(TOKEN).toMatch(/^v1\.k1\.[A-Za-z0-9_-]+$/);
    expect(BYTES.length).toBe(12 + Buffer.byteLength(JSON.stringify({ exp: 1_000 + TTL, ledger: LEDGER })) + 16);
  });

  it('is different each time, with a nonce of its own', () => {
    const nonces = Array.from({ length: 2_000 }, () =>
      Buffer.from(codec1.seal(LEDGER, BINDING).split('.')[2]!, 'base64url').subarray(0, 12).toString('hex'),
    );
    expect(new Set(nonces).size).toBe(2_000);
  });
  const codec1 = codec();

  it('shows nothing of what is in it', () => {
    for (const secret of ['ch_4711', 'charge', 'alice', 'order', 'ledger', 'answered']) {
      expect(TOKEN).not.toContain(secret);
      expect(BYTES.toString('latin1')).not.toContain(secret);
      expect(TOKEN).not.toContain(Buffer.from(secret).toString('base64url').slice(0, -1));
    }
  });

  it('holds any JSON: lone surrogates, keys of prototypes, deep and empty values', () => {
    const ledger = JSON.parse(
      String.raw`[{"key":"__proto__","kind":"step","fingerprint":"","answered":true,"response":{"__proto__":{"polluted":1},"constructor":{"prototype":1}}},
      {"key":"\ud800","kind":"step","fingerprint":"","answered":true,"response":["\udfff",null,{},[],1e-7]}]`,
    ) as LedgerSnapshot;
    const token = codec().seal(ledger, BINDING);
    expect(JSON.stringify(opening(token))).toBe(JSON.stringify(ledger));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('a forged token is refused with one and the same error', () => {
  it('whichever byte is flipped', () => {
    for (let index = 0; index < BYTES.length; index += 1) {
      for (const mask of [0x01, 0x80, 0xff]) {
        const forged = Buffer.from(BYTES);
        forged[index]! ^= mask;
        expect(opening(withBytes(forged))).toBe(REFUSAL);
      }
    }
  });

  it('whichever character is changed, or left out', () => {
    for (let index = 0; index < TOKEN.length; index += 1) {
      const other = TOKEN[index] === 'A' ? 'B' : 'A';
      expect(opening(TOKEN.slice(0, index) + other + TOKEN.slice(index + 1))).toBe(REFUSAL);
      expect(opening(TOKEN.slice(0, index) + TOKEN.slice(index + 1))).toBe(REFUSAL);
      expect(opening(TOKEN.slice(0, index))).toBe(REFUSAL);
    }
  });

  it.each([12, 8, 4, 0])('with its tag cut to %i bytes', (size) => {
    expect(opening(withBytes(BYTES.subarray(0, BYTES.length - 16 + size)))).toBe(REFUSAL);
  });

  it('with a tag or a nonce alone, or with nothing', () => {
    for (const bytes of [
      BYTES.subarray(0, 28),
      BYTES.subarray(0, 12),
      BYTES.subarray(-16),
      Buffer.alloc(0),
      Buffer.alloc(28),
      Buffer.alloc(27),
    ]) {
      expect(opening(withBytes(bytes))).toBe(REFUSAL);
    }
  });

  it.each([
    ['padding', `${TOKEN}=`],
    ['a line break', `${TOKEN}\n`],
    ['a space in front', ` ${TOKEN}`],
    ['a space inside', TOKEN.replace('v1.k1.', 'v1.k1. ')],
    ['junk inside', `${TOKEN.slice(0, 20)}!${TOKEN.slice(20)}`],
    ['letters that are not ASCII', `${TOKEN}é`],
    ['a null character', `${TOKEN}\0`],
    ['the other alphabet', TOKEN.replaceAll('-', '+').replaceAll('_', '/').concat('+')],
    ['a part too many', `${TOKEN}.`],
    ['a part too many in front', `.${TOKEN}`],
    ['a part too few', TOKEN.slice(0, TOKEN.lastIndexOf('.'))],
    ['no version', TOKEN.slice(3)],
    ['another version', TOKEN.replace('v1', 'v2')],
    ['a version in capitals', TOKEN.replace('v1', 'V1')],
    ['no text', 'v1.k1.'],
    ['no key id', TOKEN.replace('k1', '')],
    ['an unknown key id', TOKEN.replace('k1', 'k2')],
    ['the key id of a prototype', TOKEN.replace('k1', '__proto__')],
    ['a key id in capitals', TOKEN.replace('k1', 'K1')],
    ['nothing', ''],
  ])('with %s', (_, token) => {
    expect(opening(token)).toBe(REFUSAL);
  });

  it('with bits in its last character that the bytes do not need', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sealed = Array.from({ length: 3 }, (_, extra) => codec().seal(recorded({ s: 'x'.repeat(extra) }), BINDING)).find(
      (token) => token.split('.')[2]!.length % 4 !== 0,
    )!;
    const last = alphabet.indexOf(sealed.at(-1)!);
    const twin = sealed.slice(0, -1) + alphabet[last + 1]!;
    expect(Buffer.from(twin.split('.')[2]!, 'base64url')).toEqual(Buffer.from(sealed.split('.')[2]!, 'base64url'));
    expect(opening(twin)).toBe(REFUSAL);
  });

  it.each([undefined, null, 0, 1, true, [], [TOKEN], {}, { toString: () => TOKEN }, Symbol.iterator])('of the wrong type: %p', (token) => {
    expect(opening(token)).toBe(REFUSAL);
  });

  it('under the id of another key of the ring, although both keys are known', () => {
    const ring = [...RING, { id: 'k2', key: randomBytes(32) }];
    expect(opening(TOKEN, BINDING, codec({ ring }))).toEqual(LEDGER);
    expect(opening(TOKEN.replace('k1', 'k2'), BINDING, codec({ ring }))).toBe(REFUSAL);
  });

  it('under another id of the same key', () => {
    const ring = [...RING, { id: 'k2', key: RING[0]!.key }];
    expect(opening(TOKEN.replace('k1', 'k2'), BINDING, codec({ ring }))).toBe(REFUSAL);
  });

  it('sealed by another process under the same id', () => {
    expect(opening(codec({ ring: [{ id: 'k1', key: randomBytes(32) }] }).seal(LEDGER, BINDING))).toBe(REFUSAL);
  });
});

describe('a token of another call is refused with that same error', () => {
  it.each([
    ['another method', { method: 'prompts/get' }],
    ['another target', { target: 'refund' }],
    ['other arguments', { arguments: { item: 'tea', count: 3 } }],
    ['fewer arguments', { arguments: { item: 'tea' } }],
    ['more arguments', { arguments: { item: 'tea', count: 2, extra: null } }],
    ['arguments of another type', { arguments: { item: 'tea', count: '2' } }],
    ['no arguments', { arguments: {} }],
    ['another caller', { principalId: 'bob' }],
    ['an anonymous caller', { principalId: undefined }],
    ['a caller of another case', { principalId: 'Alice' }],
    ['a caller with more letters', { principalId: 'alice2' }],
  ])('%s', (_, change) => {
    expect(opening(TOKEN, { ...BINDING, ...change })).toBe(REFUSAL);
  });

  it('and no two callers are one, however they are spelled', () => {
    const callers = [
      undefined,
      '',
      'anonymous',
      'id:',
      'id:anonymous',
      'undefined',
      'null',
      '\ud800',
      '\ud801',
      '\ufffd',
      'é',
      'e\u0301',
      'a\0',
      'a',
    ];
    for (const sealedFor of callers) {
      const token = codec().seal(LEDGER, { ...BINDING, principalId: sealedFor });
      const opened = callers.filter((principalId) => opening(token, { ...BINDING, principalId }) !== REFUSAL);
      expect(opened).toEqual([sealedFor]);
    }
  });

  it('and no two arguments are one because they hold what UTF-8 cannot', () => {
    const token = codec().seal(LEDGER, { ...BINDING, arguments: { name: '\ud800' } });
    expect(opening(token, { ...BINDING, arguments: { name: '\ud801' } })).toBe(REFUSAL);
    expect(opening(token, { ...BINDING, arguments: { name: '\ufffd' } })).toBe(REFUSAL);
  });

  it('and what is bound cannot be cut at another place', () => {
    const token = codec().seal(LEDGER, { ...BINDING, method: 'tools/call', target: 'ab' });
    expect(opening(token, { ...BINDING, method: 'tools/calla', target: 'b' })).toBe(REFUSAL);
    expect(opening(token, { ...BINDING, method: 'tools/cal', target: 'lab' })).toBe(REFUSAL);
    expect(opening(token, { ...BINDING, method: 'tools/callab', target: '' })).toBe(REFUSAL);
  });
});

describe('a token lasts', () => {
  it('to the last millisecond of its time, and no longer', () => {
    const at = (now: number) => opening(TOKEN, BINDING, codec({ now: () => now }));
    expect(at(1_000 + TTL)).toEqual(LEDGER);
    expect(at(1_000 + TTL + 1)).toBe(REFUSAL);
  });

  it('from the time it was made: each round has its own', () => {
    let now = 0;
    const clocked = codec({ now: () => now });
    const first = clocked.seal(LEDGER, BINDING);
    now = TTL;
    const second = clocked.seal(clocked.open(first, BINDING), BINDING);
    now = 2 * TTL;
    expect([opening(first, BINDING, clocked), opening(second, BINDING, clocked)]).toEqual([REFUSAL, LEDGER]);
  });
});

describe('when keys are rotated', () => {
  const [former] = RING;
  const next = { id: 'k0', key: randomBytes(32) };

  it('old tokens open while their key is in the ring, and new ones are sealed under the first', () => {
    const both = codec({ ring: [next, former!] });
    expect(opening(TOKEN, BINDING, both)).toEqual(LEDGER);
    const fresh = both.seal(LEDGER, BINDING);
    expect(fresh).toMatch(/^v1\.k0\./);
    expect(opening(fresh, BINDING, codec({ ring: [next] }))).toEqual(LEDGER);
  });

  it('old tokens are refused once their key is gone', () => {
    expect(opening(TOKEN, BINDING, codec({ ring: [next] }))).toBe(REFUSAL);
  });

  it('a token for a key that a node does not have yet is refused, not guessed at', () => {
    expect(opening(codec({ ring: [next, former!] }).seal(LEDGER, BINDING))).toBe(REFUSAL);
  });
});

describe('the limit on the length of a token', () => {
  it('is exact both ways', () => {
    expect(opening(TOKEN, BINDING, codec({ maxLength: TOKEN.length }))).toEqual(LEDGER);
    expect(opening(TOKEN, BINDING, codec({ maxLength: TOKEN.length - 1 }))).toBe(REFUSAL);
    expect(codec({ maxLength: TOKEN.length }).seal(LEDGER, BINDING)).toHaveLength(TOKEN.length);
    expect(() => codec({ maxLength: TOKEN.length - 1 }).seal(LEDGER, BINDING)).toThrow(/exceed the/);
  });

  it('turns what is too long away before it is read', () => {
    expect(opening(`v1.k1.${'A'.repeat(70_000)}`)).toBe(REFUSAL);
  });

  it('names the largest step of a ledger that outgrew it, and is an error of the author', () => {
    const ledger = recorded({ small: 'x', page: 'x'.repeat(3_000), other: 'x'.repeat(2_000) });
    const sealing = () => codec({ maxLength: 4_096 }).seal(ledger, BINDING);
    expect(sealing).toThrow(/the 4096 characters .* largest is step "page" with \d{4}/);
    expect(sealing).not.toThrow(McpError);
  });
});
