import { OUT, rpc, type Area } from './case.js';

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const each = <T>(name: (method: string) => string, make: (method: string) => T): Record<string, T> =>
  Object.fromEntries(LISTS.map((method) => [name(method), make(method)]));

/** `server/discover` and the lists, with cursors (MCP server/discover, server/utilities/pagination). */
export const lists: Area = {
  discover: rpc('server/discover'),
  'discover with params that mean nothing': rpc('server/discover', { a: 1 }),
  'discover with a cursor': rpc('server/discover', { cursor: 'x' }),
  'discover by a small server': { request: rpc('server/discover'), pair: 'small' },
  'discover by a strict server': { request: rpc('server/discover'), pair: 'strict' },
  ...each(
    (method) => method,
    (method) => rpc(method),
  ),
  ...each(
    (method) => `${method} with params that mean nothing`,
    (method) => rpc(method, { filter: 'x', limit: 1 }),
  ),
  ...each(
    (method) => `${method} with an unknown cursor`,
    (method) => rpc(method, { cursor: 'bogus' }),
  ),
  ...each(
    (method) => `${method} with a cursor that is a number`,
    (method) => rpc(method, { cursor: 5 }),
  ),
  ...each(
    (method) => `${method} with a cursor that is null`,
    (method) => rpc(method, { cursor: null }),
  ),
  'tools/list with an empty cursor': rpc('tools/list', { cursor: '' }),
  'tools/list with a cursor that is an object': rpc('tools/list', { cursor: {} }),
  'tools/list by a small server': { request: rpc('tools/list'), pair: 'small' },
  'prompts/list by a small server': { request: rpc('prompts/list'), pair: 'small' },
  'resources/list by a small server': { request: rpc('resources/list'), pair: 'small' },
  'resources/templates/list by a small server': { request: rpc('resources/templates/list'), pair: 'small' },
};

const prompt = (params: Record<string, unknown>) => rpc('prompts/get', params);

/** `prompts/get` (MCP server/prompts). */
export const prompts: Area = {
  'without arguments': prompt({ name: 'hello' }),
  'with empty arguments': prompt({ name: 'hello', arguments: {} }),
  'with arguments it has not': prompt({ name: 'hello', arguments: { a: 'b' } }),
  'with its arguments': prompt({ name: 'greet', arguments: { name: 'Ann', tone: 'warm' } }),
  'without the optional one': prompt({ name: 'greet', arguments: { name: 'Ann' } }),
  'without the required one': prompt({ name: 'greet', arguments: { tone: 'warm' } }),
  'without any': prompt({ name: 'greet' }),
  'with one it has not': prompt({ name: 'greet', arguments: { name: 'Ann', more: 'x' } }),
  'with an argument that is a number': prompt({ name: 'greet', arguments: { name: 5 } }),
  'with an argument that is null': prompt({ name: 'greet', arguments: { name: null } }),
  'with an empty argument': prompt({ name: 'greet', arguments: { name: '' } }),
  'with arguments that are an array': prompt({ name: 'greet', arguments: ['Ann'] }),
  'with arguments that are a string': prompt({ name: 'greet', arguments: 'Ann' }),
  'with arguments that are null': prompt({ name: 'greet', arguments: null }),
  'with several messages': prompt({ name: 'pictures' }),
  'that breaks': prompt({ name: 'broken' }),
  'that is unknown': prompt({ name: 'nobody' }),
  'without a name': prompt({}),
  'with a name that is a number': prompt({ name: 1 }),
  'with an empty name': prompt({ name: '' }),
  'by a small server': { request: prompt({ name: 'hello' }), pair: 'small' },
  'in another case': prompt({ name: 'HELLO' }),
};

const read = (uri: unknown) => rpc('resources/read', { uri });

/** `resources/read` (MCP server/resources). */
export const resources: Area = {
  'a text': read('demo://text'),
  'a blob': read('demo://blob'),
  'several contents': read('demo://many'),
  'an empty text': read('demo://empty'),
  'that breaks': read('demo://broken'),
  'by a template': read('demo://items/7'),
  'by a template, encoded': read('demo://items/a%20b'),
  'by a template, an encoded slash': read('demo://items/a%2Fb'),
  'by a template, not ASCII': read('demo://items/%C3%BC'),
  'by a template, bad encoding': read('demo://items/%zz'),
  'by a template, an encoded NUL': read('demo://items/%00'),
  'by a template, with a slash': read('demo://items/a/b'),
  'by a template, empty': read('demo://items/'),
  'by a template, with a query': read('demo://items/7?x=1'),
  'by a template, with dots': read('demo://items/..'),
  'by a template, with dots that climb': read('demo://items/../text'),
  'by a template, not found': read('demo://items/gone'),
  unknown: read('demo://nothing'),
  'unknown scheme': read('other://text'),
  'without a scheme': read('text'),
  'with white space': read('demo://te xt'),
  'with white space around': read(' demo://text '),
  'with a fragment': read('demo://text#a'),
  'scheme in capitals': read('DEMO://text'),
  'host in capitals': read('demo://TEXT'),
  'with a slash at the end': read('demo://text/'),
  empty: read(''),
  'a number': read(5),
  null: read(null),
  missing: rpc('resources/read', {}),
  'very long': read(`demo://items/${'x'.repeat(3000)}`),
  javascript: read('javascript:alert(1)'),
  'a file': read('file:///etc/passwd'),
  'with params that mean nothing': rpc('resources/read', { uri: 'demo://text', range: [0, 1] }),
  'by a small server': { request: read('demo://text'), pair: 'small' },
};

const complete = (params: Record<string, unknown>) => rpc('completion/complete', params);
const ofGreet = (argument: unknown, more: Record<string, unknown> = {}) =>
  complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument, ...more });

/** `completion/complete` (MCP server/utilities/completion). */
export const completion: Area = {
  'of a prompt': ofGreet({ name: 'tone', value: 'w' }),
  'of a prompt, nothing typed': ofGreet({ name: 'tone', value: '' }),
  'of a prompt, more than a hundred': ofGreet({ name: 'name', value: '' }),
  'of a prompt, none': ofGreet({ name: 'tone', value: 'x' }),
  'of a prompt, with context': ofGreet({ name: 'tone', value: '' }, { context: { arguments: { name: 'warm' } } }),
  'of a prompt, with an empty context': ofGreet({ name: 'tone', value: '' }, { context: {} }),
  'of a prompt, with a context that is no object': ofGreet({ name: 'tone', value: '' }, { context: 'x' }),
  'of a prompt, with a context of numbers': ofGreet({ name: 'tone', value: '' }, { context: { arguments: { name: 5 } } }),
  'of an argument that is unknown': ofGreet({ name: 'nobody', value: '' }),
  'of a prompt without arguments': complete({ ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'a', value: '' } }),
  'of a prompt that is unknown': complete({ ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'a', value: '' } }),
  'of a prompt, with a title': complete({ ref: { type: 'ref/prompt', name: 'greet', title: 'x' }, argument: { name: 'tone', value: '' } }),
  'of a template': complete({ ref: { type: 'ref/resource', uri: 'demo://items/{id}' }, argument: { name: 'id', value: '1' } }),
  'of a template, unknown variable': complete({
    ref: { type: 'ref/resource', uri: 'demo://items/{id}' },
    argument: { name: 'x', value: '' },
  }),
  'of a template that is unknown': complete({
    ref: { type: 'ref/resource', uri: 'demo://other/{id}' },
    argument: { name: 'id', value: '' },
  }),
  'of a resource': complete({ ref: { type: 'ref/resource', uri: 'demo://text' }, argument: { name: 'id', value: '' } }),
  'of an unknown kind': complete({ ref: { type: 'ref/tool', name: 'echo' }, argument: { name: 'text', value: '' } }),
  'without a ref': complete({ argument: { name: 'a', value: '' } }),
  'with a ref that is a string': complete({ ref: 'greet', argument: { name: 'a', value: '' } }),
  'with a ref without a name': complete({ ref: { type: 'ref/prompt' }, argument: { name: 'a', value: '' } }),
  'without an argument': ofGreet(OUT),
  'with an argument without a value': ofGreet({ name: 'tone' }),
  'with an argument whose value is a number': ofGreet({ name: 'tone', value: 5 }),
  'with an argument without a name': ofGreet({ value: '' }),
  'by a small server': { request: ofGreet({ name: 'tone', value: '' }), pair: 'small' },
};
