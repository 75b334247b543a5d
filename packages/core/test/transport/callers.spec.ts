import { DefinitionError } from '../../src/errors/definition-fault.js';
import { compileAllowedHosts } from '../../src/transport/streamable-http/allowed-hosts.js';
import { compileAllowedOrigins } from '../../src/transport/streamable-http/allowed-origins.js';
import { closeEndpoints, post, raw, send, startEndpoint } from './http-harness.js';

describe('a Host, when none are configured,', () => {
  const isAllowed = compileAllowedHosts(undefined);

  it.each([
    'localhost',
    'localhost:3000',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:65535',
    'LocalHost:80',
    'localhost.',
    'localhost.:8080',
    '[0:0:0:0:0:0:0:1]:3000',
  ])('is taken as %s', (host) => {
    expect(isAllowed(host)).toBe(true);
  });

  it.each([
    '',
    ' ',
    ' localhost',
    'localhost ',
    'evil.example.com',
    'localhost.evil.com',
    'evil.com.localhost',
    'evil@localhost',
    'localhost@evil.com',
    'user:pass@localhost:3000',
    'localhost:3000@evil.com',
    'localhost:',
    'localhost:port',
    'localhost:65536',
    'localhost:-1',
    'localhost:3000:3000',
    'localhost..',
    '.localhost',
    'localhost/evil',
    'localhost?x',
    'localhost#x',
    'localhost\\evil',
    'localhost,evil.com',
    'localhost%2eevil',
    '127.1',
    '127.0.0.2',
    '0x7f.0.0.1',
    '2130706433',
    '0.0.0.0',
    '::1',
    '[::1',
    '[::2]',
    '[::ffff:127.0.0.1]',
    '[::1%lo]',
    '[localhost]',
    'ⓛocalhost',
    'xn--localhost-',
    'localhost\u0000',
  ])('is refused as %j', (host) => {
    expect(isAllowed(host)).toBe(false);
  });

  it('is judged anew after another was taken', () => {
    expect(['localhost', 'evil', 'localhost', 'evil'].map(isAllowed)).toEqual([true, false, true, false]);
  });
});

describe('a configured Host', () => {
  it.each<[string, string, boolean]>([
    ['mcp.example.com', 'mcp.example.com', true],
    ['mcp.example.com', 'MCP.Example.COM:8443', true],
    ['MCP.example.com.', 'mcp.example.com', true],
    ['mcp.example.com', 'example.com', false],
    ['mcp.example.com', 'localhost', false],
    ['mcp.example.com:8443', 'mcp.example.com:8443', true],
    ['mcp.example.com:8443', 'mcp.example.com:8444', false],
    ['mcp.example.com:8443', 'mcp.example.com', false],
    ['mcp.example.com:443', 'mcp.example.com', true],
    ['mcp.example.com:443', 'mcp.example.com:80', false],
    ['10.0.0.7', '10.0.0.7:8080', true],
    ['[2001:DB8::1]', '[2001:db8:0::1]:8080', true],
    ['bücher.example', 'xn--bcher-kva.example', true],
    ['bücher.example:81', 'xn--bcher-kva.example:81', true],
    ['bücher.example', 'bücher.example', false],
  ])('%s, asked for %s: %s', (entry, host, allowed) => {
    expect(compileAllowedHosts([entry])(host)).toBe(allowed);
  });

  it('is one of all that are listed, and of an empty list none', () => {
    expect(compileAllowedHosts(['a', 'b:1'])('b:1')).toBe(true);
    expect(compileAllowedHosts([])('localhost')).toBe(false);
  });

  it.each(['*', 'https://mcp.example.com', 'mcp.example.com/mcp', 'user@mcp.example.com', '', 'a:99999'])(
    '%j is a fault at boot that says what to write',
    (entry) => {
      expect(() => compileAllowedHosts([entry])).toThrow(DefinitionError);
      expect(() => compileAllowedHosts([entry])).toThrow(/allowedHosts: \[/);
    },
  );
});

describe('an Origin', () => {
  const isLocal = compileAllowedOrigins(undefined);

  it.each(['http://localhost', 'http://localhost:6274', 'https://127.0.0.1', 'http://[::1]:3000', 'HTTP://LOCALHOST:1'])(
    'is taken as %s when none are configured',
    (origin) => {
      expect(isLocal(origin)).toBe(true);
    },
  );

  it.each([
    'null',
    '',
    'localhost',
    '//localhost',
    'http://evil.example.com',
    'http://localhost.evil.com',
    'http://evil@localhost',
    'http://localhost/',
    'http://localhost/path',
    'http://localhost, http://evil.com',
    'http://localhost http://evil.com',
    'file://',
    'http://',
    'http://localhost:99999',
    ' http://localhost',
  ])('is refused as %j when none are configured', (origin) => {
    expect(isLocal(origin)).toBe(false);
  });

  it.each<[string, string, boolean]>([
    ['app.example.com', 'https://app.example.com', true],
    ['app.example.com', 'http://app.example.com:8080', true],
    ['app.example.com', 'https://evil.com', false],
    ['https://app.example.com', 'https://app.example.com', true],
    ['https://app.example.com', 'https://APP.example.com:443', true],
    ['https://app.example.com', 'http://app.example.com', false],
    ['https://app.example.com', 'https://app.example.com:8443', false],
    ['https://app.example.com:8443', 'https://app.example.com:8443', true],
    ['http://localhost:6274', 'http://localhost:6275', false],
    ['vscode-webview://abc', 'vscode-webview://abc', true],
    ['https://bücher.example', 'https://xn--bcher-kva.example', true],
    ['app.example.com', 'null', false],
  ])('configured as %s is, for %s, taken: %s', (entry, origin, allowed) => {
    expect(compileAllowedOrigins([entry])(origin)).toBe(allowed);
  });

  it.each(['*', 'null', 'app.example.com:8443', 'https://app.example.com/x', 'https://'])('configured as %j', (entry) => {
    // `null` reads like a host name, and no origin can have that host: it is harmless, and everything else is a fault.
    if (entry === 'null') expect(compileAllowedOrigins([entry])('null')).toBe(false);
    else expect(() => compileAllowedOrigins([entry])).toThrow(/allowedOrigins: \[/);
  });
});

describe('the endpoint', () => {
  afterEach(closeEndpoints);

  it.each<[string, Record<string, string>, string]>([
    ['a foreign Host', { host: 'evil.example.com' }, 'POST'],
    ['a foreign Origin', { origin: 'http://evil.example.com' }, 'POST'],
    ['both', { host: 'evil.example.com', origin: 'http://evil.example.com' }, 'POST'],
    ['an opaque Origin', { origin: 'null' }, 'POST'],
    ['a foreign Host, before it says which method it takes', { host: 'evil.example.com' }, 'GET'],
    ['a foreign Host, before it looks at the content type', { host: 'evil.example.com', 'content-type': 'text/plain' }, 'POST'],
  ])('answers %s with 403 and an error without an id', async (_case, headers, method) => {
    const { port, dispatcher } = await startEndpoint();
    const reply = await send(port, { headers, method, ...(method === 'GET' && { body: '' }) });
    expect(reply.status).toBe(403);
    expect(reply.json).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: expect.any(String) } });
    expect(reply.text).not.toContain('evil');
    expect(dispatcher.requests).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['no Origin', {}],
    ['a local Origin', { origin: 'http://localhost:6274' }],
    ['a local Host', { host: 'localhost' }],
  ])('serves %s', async (_case, headers) => {
    const { port } = await startEndpoint();
    expect((await send(port, { headers })).status).toBe(200);
  });

  it('refuses two Host headers with 400, even alike', async () => {
    const { port, dispatcher } = await startEndpoint();
    for (const second of ['localhost', 'evil.example.com']) {
      expect(await raw(port, post(['Host: localhost', `host: ${second}`]))).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(dispatcher.requests).toEqual([]);
  });

  it('refuses two Origins with 403', async () => {
    const { port, dispatcher } = await startEndpoint();
    expect(await raw(port, post(['Host: localhost', 'Origin: http://localhost', 'Origin: http://localhost']))).toMatch(/^HTTP\/1\.1 403 /);
    expect(dispatcher.requests).toEqual([]);
  });

  it('refuses a request without a Host', async () => {
    const { port, dispatcher } = await startEndpoint();
    expect(await raw(port, post([]).replace('HTTP/1.1', 'HTTP/1.0'))).toMatch(/^HTTP\/1\.1 403 /);
    expect(dispatcher.requests).toEqual([]);
  });

  it.each<[string, number]>([
    ['http://evil.example.com/mcp', 403],
    ['http://evil@localhost/mcp', 403],
    ['http://localhost/mcp', 200],
  ])('heeds the host of the absolute target %s: %i', async (target, status) => {
    const { port, dispatcher } = await startEndpoint();
    const reply = await raw(port, post(['Host: localhost']).replace('/mcp', target));
    expect(reply).toContain(`HTTP/1.1 ${status} `);
    expect(dispatcher.requests).toHaveLength(status === 200 ? 1 : 0);
  });
});
