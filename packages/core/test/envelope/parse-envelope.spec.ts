import { negotiateVersion } from '../../src/envelope/negotiate-version.js';
import { parseEnvelope } from '../../src/envelope/request-envelope.js';
import { AnonymousPrincipalSource } from '../../src/envelope/principal.js';
import { McpError } from '../../src/errors/mcp.error.js';
import type { JsonObject } from '../../src/protocol/json.js';

const PREFIX = 'io.modelcontextprotocol/';
const MINIMAL = { [`${PREFIX}protocolVersion`]: '2026-07-28', [`${PREFIX}clientCapabilities`]: {} };

function refusal(run: () => unknown): McpError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof McpError) return thrown;
  }
  throw new Error('was not refused');
}

describe('the envelope of a request', () => {
  it.each<[string, string, JsonObject | undefined]>([
    ['params', 'absent params', undefined],
    ['_meta', 'absent _meta', {}],
    ['_meta', 'a null _meta', { _meta: null }],
    ['_meta', 'an array as _meta', { _meta: [] }],
    [`${PREFIX}protocolVersion`, 'no protocolVersion', { _meta: { [`${PREFIX}clientCapabilities`]: {} } }],
    [`${PREFIX}protocolVersion`, 'a number as protocolVersion', { _meta: { ...MINIMAL, [`${PREFIX}protocolVersion`]: 1 } }],
    [`${PREFIX}clientCapabilities`, 'no clientCapabilities', { _meta: { [`${PREFIX}protocolVersion`]: '2026-07-28' } }],
    [`${PREFIX}clientCapabilities`, 'null clientCapabilities', { _meta: { ...MINIMAL, [`${PREFIX}clientCapabilities`]: null } }],
    [`${PREFIX}clientCapabilities`, 'a list of capabilities', { _meta: { ...MINIMAL, [`${PREFIX}clientCapabilities`]: ['x'] } }],
    [`${PREFIX}clientInfo`, 'a string as clientInfo', { _meta: { ...MINIMAL, [`${PREFIX}clientInfo`]: 'c' } }],
    [`${PREFIX}clientInfo`, 'a clientInfo without version', { _meta: { ...MINIMAL, [`${PREFIX}clientInfo`]: { name: 'c' } } }],
    [`${PREFIX}clientInfo`, 'a clientInfo without name', { _meta: { ...MINIMAL, [`${PREFIX}clientInfo`]: { version: '1' } } }],
    ['progressToken', 'a null progressToken', { _meta: { ...MINIMAL, progressToken: null } }],
    ['progressToken', 'an object as progressToken', { _meta: { ...MINIMAL, progressToken: {} } }],
    ['progressToken', 'a fraction as progressToken', { _meta: { ...MINIMAL, progressToken: 1.5 } }],
    ['progressToken', 'a progressToken beyond doubles', { _meta: { ...MINIMAL, progressToken: JSON.parse('1e400') } }],
    ['progressToken', 'a lone surrogate as progressToken', { _meta: { ...MINIMAL, progressToken: '\ud800' } }],
    [`${PREFIX}logLevel`, 'an unknown logLevel', { _meta: { ...MINIMAL, [`${PREFIX}logLevel`]: 'loud' } }],
  ])('names %s for %s, as -32602 with HTTP status 400', (key, _case, params) => {
    const error = refusal(() => parseEnvelope(params));
    expect(error).toMatchObject({ code: -32602, httpStatus: 400, data: { key } });
    expect(error.message).toContain(key);
  });

  it('needs a revision and capabilities alone', () => {
    expect(parseEnvelope({ _meta: MINIMAL })).toEqual({ protocolVersion: '2026-07-28', clientCapabilities: {} });
  });

  it('holds everything that was sent', () => {
    const envelope = parseEnvelope({
      _meta: {
        ...MINIMAL,
        [`${PREFIX}clientInfo`]: { name: 'c', version: '1', title: 'C' },
        [`${PREFIX}logLevel`]: 'alert',
        progressToken: 15,
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      },
    });
    expect(envelope).toMatchObject({
      clientInfo: { name: 'c', version: '1', title: 'C' },
      logLevel: 'alert',
      progressToken: 15,
      trace: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    });
  });

  it('keeps capabilities and _meta keys it does not know', () => {
    const capabilities = { roots: { listChanged: true }, holograms: { depth: 3 } };
    const envelope = parseEnvelope({ _meta: { ...MINIMAL, [`${PREFIX}clientCapabilities`]: capabilities, 'com.example/x': 1 } });
    expect(envelope.clientCapabilities).toEqual(capabilities);
  });

  it.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])('takes the log level %s', (logLevel) => {
    expect(parseEnvelope({ _meta: { ...MINIMAL, [`${PREFIX}logLevel`]: logLevel } }).logLevel).toBe(logLevel);
  });
});

describe('the revision', () => {
  it('is served when it is the one of this server', () => {
    expect(() => negotiateVersion('2026-07-28')).not.toThrow();
  });

  it.each(['v999.0.0', '2025-11-25', '2026-07-28 ', '', 'toString'])(
    '%j is -32022 with what is supported and what was asked',
    (requested) => {
      expect(refusal(() => negotiateVersion(requested))).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested } });
    },
  );
});

describe('a server without a principal source', () => {
  it('takes every caller for anonymous', () => {
    expect(new AnonymousPrincipalSource().resolve()).toBeUndefined();
  });
});
