import { call, rpc, type Area } from './case.js';

const raw = (body: string | Buffer) => rpc('tools/list', {}, { body });
const valid = (method = 'tools/list') => rpc(method).body.toString();
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const meta = JSON.stringify((JSON.parse(valid()) as { params: { _meta: object } }).params._meta);
const withArguments = (args: string) =>
  call(
    'shape',
    {},
    { body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shape","arguments":${args},"_meta":${meta}}}` },
  );

/** JSON that is none, or that is meant to hurt. */
export const hostile: Area = {
  truncated: raw(valid().slice(0, -1)),
  'truncated in a string': raw('{"jsonrpc":"2.0","id":1,"method":"tools/li'),
  'followed by more': raw(`${valid()}x`),
  'two messages': raw(`${valid()}\n${valid()}`),
  'surrounded by white space': raw(`\r\n\t ${valid()} \n`),
  'a byte order mark': raw(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(valid())])),
  'UTF-16': raw(Buffer.from(valid(), 'utf16le')),
  'bytes that are no UTF-8': raw(
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.from([0xff, 0xfe]), Buffer.from('","method":"tools/list"}')]),
  ),
  'bytes that are no UTF-8 in an argument': call(
    'echo',
    {},
    {
      body: Buffer.concat([
        Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"`),
        Buffer.from([0xc3, 0x28]),
        Buffer.from(`"},"_meta":${meta}}}`),
      ]),
    },
  ),
  'a NUL byte': raw(`${valid()}\0`),
  comments: raw(`/* hello */${valid()}`),
  'single quotes': raw(valid().replaceAll('"', "'")),
  'a trailing comma': raw(valid().replace('}}}', '}},}')),
  NaN: raw('{"jsonrpc":"2.0","id":NaN,"method":"tools/list"}'),
  markup: raw('<?xml version="1.0"?><a/>'),
  'a form': raw('method=tools%2Flist&id=1'),
  'the same key twice': raw(valid().replace('"id":1', '"id":1,"id":2')),
  'the method twice': raw(valid().replace('"method"', '"method":"tools/call","method"')),
  'escaped keys': raw(valid().replace('"method"', '"\\u006dethod"')),
  '__proto__ at the top': raw(valid().replace('{', '{"__proto__":{"polluted":true},')),
  '__proto__ in params': raw(valid().replace('"params":{', '"params":{"__proto__":{"name":"echo"},')),
  '__proto__ in arguments': withArguments('{"__proto__":{"polluted":true}}'),
  'constructor.prototype in arguments': withArguments('{"constructor":{"prototype":{"polluted":true}}}'),
  'a tool named __proto__': call('__proto__', {}),
  'a tool named constructor': call('constructor', {}),
  'a tool named toString': call('toString', {}),
  'a prompt named __proto__': rpc('prompts/get', { name: '__proto__' }),
  'a prompt named constructor': rpc('prompts/get', { name: 'constructor' }),
  'a method named __proto__': rpc('__proto__'),
  'a method named constructor': rpc('constructor'),
  'a completion of an argument named constructor': rpc('completion/complete', {
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'constructor', value: '' },
  }),
  'a completion of a prompt named toString': rpc('completion/complete', {
    ref: { type: 'ref/prompt', name: 'toString' },
    argument: { name: 'a', value: '' },
  }),
  'deep arrays': withArguments(nested('[', ']', 5000)),
  'deep objects': withArguments(nested('{"a":', '1}', 0) + '{"tags":' + nested('[', ']', 2000) + '}'),
  'deep, and not closed': raw('['.repeat(100_000)),
  'nested within reason': withArguments(`{"other":${nested('[', ']', 40)}}`),
  'a huge number': withArguments('{"other":1e400}'),
  'a long number': withArguments(`{"other":${'9'.repeat(400)}}`),
  'many keys': withArguments(JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index])))),
  'a lone surrogate in an argument': call('echo', { text: '\ud800' }),
  'a lone surrogate in an id': rpc('tools/list', {}, { message: { id: '\udc00' } }),
  'a lone surrogate in a method': rpc('tools/list', {}, { message: { method: 'tools/\ud800' } }),
  'control characters in an argument': call('echo', { text: '\u0000\u0001\u001f\u007f' }),
  'line separators in an argument': call('echo', { text: 'a\u2028b\u2029c\r\nd\n\ne' }),
  'text from right to left': call('echo', { text: '\u202egnirts\u202c שלום' }),
};
