import type { AcceptedDifference, DifferenceShape } from './compare/judge.js';
import type { RequestFacts } from './compare/request-facts.js';

const outcome = (ours: string, official: string): DifferenceShape => ({ facet: 'outcome', ours, official });
const status = (ours: number, official: number): DifferenceShape => ({ facet: 'status', ours, official });
const isInteger = (id: unknown): boolean => Number.isSafeInteger(id);
const messageOf = ({ json }: RequestFacts): Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {};
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const DONE = 'result complete';
const FAILED = 'result complete, isError';
const ANY_RESULT = [DONE, FAILED, 'result input_required'];
const CODES = ['-32601', '-32602', '-32020', '-32021', '-32022'];
/** Whatever else would have been said. */
const orWhatever = (code: string): DifferenceShape[] =>
  [...ANY_RESULT, ...CODES.map((other) => `error ${other}`)].map((official) => outcome(code, official));
const whateverOr = (code: string): DifferenceShape[] =>
  [...ANY_RESULT, ...CODES.map((other) => `error ${other}`)].map((ours) => outcome(ours, code));
/** A notification is taken and dropped; theirs is refused. */
const droppedOr = (code: string): DifferenceShape[] => [
  status(202, 400),
  outcome('no answer', code),
  { facet: 'content', ours: 'none', official: 'json' },
  { facet: 'jsonrpc', ours: undefined },
  { facet: 'id', ours: undefined },
];
const OUR_REFUSAL = [status(400, 200), status(400, 404)];
const THEIR_REFUSAL = [status(200, 400), status(404, 400)];
const LISTS = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
const NAMED = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** The members of a message that JSON-RPC names. */
const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);
const CAPABILITIES = ['elicitation', 'sampling', 'roots', 'extensions', 'experimental'];
const capabilitiesOf = ({ meta }: RequestFacts): Readonly<Record<string, unknown>> => {
  const declared = meta['io.modelcontextprotocol/clientCapabilities'];
  return isObject(declared) ? (declared as Record<string, unknown>) : {};
};

/**
 * The differences that are meant. A difference that is not here fails the run, and so does an entry whose difference no request written by hand
 * shows any more. Where the official server is right, the difference is not listed but fixed.
 */
export const ACCEPTED: readonly AcceptedDifference[] = [
  // What clients leave out, and what they wrap up.
  {
    reason: '`null` in place of an optional member is taken as absent; theirs is refused',
    line: 'docs/reference/errors.md and docs/adr/0020: clients that write every member of a model send null for what they leave out',
    right: 'ours',
    shapes: [
      status(200, 400),
      ...['-32600', '-32602', '-32603'].flatMap((code) => ANY_RESULT.map((ours) => outcome(ours, `error ${code}`))),
    ],
    request: ({ params, meta }) => [...Object.values(params), ...Object.values(meta)].includes(null),
  },
  {
    reason: 'A body with a Content-Encoding that nothing decodes is refused; theirs is read as if it had none',
    line: 'RFC 9110 §8.4 and §15.5.16: 415 where the content coding is not supported',
    right: 'ours',
    shapes: [status(415, 200), outcome('error -32600', DONE), { facet: 'id', ours: 'absent' }],
    request: ({ headers }) => headers['content-encoding'] !== undefined,
  },
  {
    reason: 'Only revision 2025-03-26 has batches; theirs takes them under every older one',
    line: '2025-06-18 changelog: "Remove support for JSON-RPC batching"',
    right: 'ours',
    shapes: [
      status(400, 200),
      { facet: 'id', ours: 'absent' },
      { facet: 'answers' },
      { facet: 'content' },
      outcome('error -32600', 'result without resultType'),
      outcome('error -32600', 'error -32603'),
      outcome('error -32600', 'error -32602'),
      outcome('error -32600', 'error -32601'),
    ],
    request: ({ json, headers }) => Array.isArray(json) && headers['mcp-protocol-version'] !== undefined,
  },
  {
    reason: 'An older revision that is not served is -32022 with the ones that are; theirs is -32000',
    line: 'basic "Error Codes": new implementations SHOULD NOT use -32000 to -32019; -32022 is the unsupported protocol version',
    right: 'ours',
    shapes: [outcome('error -32022', 'error -32000'), { facet: 'id' }, status(400, 406)],
    request: ({ headers, meta }) => headers['mcp-protocol-version'] !== undefined && Object.keys(meta).length === 0,
  },
  // Errors: ids and codes.
  {
    reason: 'An error whose request has no readable id carries no id; theirs carries null',
    line: 'schema.ts JSONRPCErrorResponse: `id?: RequestId`, which is a string or a number; basic "Responses"',
    right: 'ours',
    shapes: [{ facet: 'id', ours: 'absent', official: null }],
  },
  {
    reason: 'An invalid request is answered under its id where that can be read; theirs with null',
    line: 'basic "Responses": an error response MUST include the id of its request, except where it could not be read',
    right: 'ours',
    shapes: [{ facet: 'id', official: null }],
    request: (facts, { ours }) => {
      const { id, result, error } = messageOf(facts);
      return id === ours && (typeof id === 'string' || isInteger(id)) && result === undefined && error === undefined;
    },
  },
  {
    reason: 'An id that is no integer, not exact as a double, or not well-formed is not taken for an id',
    line: 'basic "Requests": the id MUST be a string or an integer; basic "Responses": the response MUST carry the same id',
    right: 'ours',
    shapes: [{ facet: 'id', ours: 'absent' }, outcome('error -32600', DONE), status(400, 200)],
    request: (facts) => {
      const { id } = messageOf(facts);
      return (typeof id === 'number' && !isInteger(id)) || (typeof id === 'string' && !id.isWellFormed());
    },
  },
  {
    reason: 'What HTTP refuses before there is a message is -32600; theirs is -32000',
    line: 'basic "Error Codes": new implementations SHOULD NOT use -32000 to -32019',
    right: 'ours',
    shapes: [outcome('error -32600', 'error -32000')],
  },
  {
    reason: 'Params of the wrong shape are -32602; theirs are -32603',
    line: 'JSON-RPC 2.0 "Error object": -32602 is "Invalid method parameter(s)"; server/prompts and server/utilities/pagination: -32602',
    right: 'ours',
    shapes: [outcome('error -32602', 'error -32603')],
    request: ({ method = '', json }) =>
      Array.isArray(json) || LISTS.has(method) || NAMED.has(method) || ['completion/complete', 'initialize'].includes(method),
  },
  {
    reason: 'An envelope that is no object, or has a progress token that is none, is -32602; theirs is -32600',
    line: 'basic "_meta": a request that lacks a required field MUST be rejected with -32602',
    right: 'ours',
    shapes: [outcome('error -32602', 'error -32600')],
    request: ({ params, meta }) => !isObject(params['_meta']) || 'progressToken' in meta,
  },
  {
    reason: "The tool author's protocol error is sent as it is; theirs becomes an isError result",
    line: 'docs/adr/0008: an McpError of the body is a JSON-RPC error with its code, message and data',
    right: 'both',
    shapes: [outcome('error 1001', FAILED)],
  },
  {
    reason: '`initialize` is answered -32601 with the served revisions in its data; theirs names none',
    line: 'basic/versioning: a server SHOULD name its supported versions in any error returned to initialize',
    right: 'ours',
    shapes: [{ facet: 'error.data.supported', ours: ['2026-07-28'], official: undefined }],
    request: ({ method }) => method === 'initialize',
  },
  // What is read, and what is not.
  {
    reason: 'A message that is not UTF-8, or begins with a byte order mark, is a parse error; theirs repairs it',
    line: 'basic: messages MUST be UTF-8 encoded; RFC 8259 §8.1',
    right: 'ours',
    shapes: [status(400, 200), { facet: 'id', ours: 'absent' }, outcome('error -32700', DONE), outcome('error -32700', 'error -32602')],
    request: ({ text }) => text.startsWith('\ufeff') || text.includes('\ufffd'),
  },
  {
    reason: 'A message that nests deeper than limits.maxJsonDepth is refused before it is parsed',
    line: 'docs/reference/options.md McpLimits: maxJsonDepth 64, -32600; the revision sets no limit',
    right: 'both',
    shapes: [...OUR_REFUSAL, { facet: 'id', ours: 'absent' }, ...orWhatever('error -32600'), outcome('error -32600', 'error -32700')],
    request: ({ text }) => text.includes('['.repeat(64)),
  },
  {
    reason: 'A message with `__proto__`, or with `constructor.prototype`, is refused',
    line: 'docs/reference/errors.md: -32600 for a forbidden key; the revision does not speak of them',
    right: 'both',
    shapes: [...OUR_REFUSAL, ...orWhatever('error -32600')],
    request: ({ text }) => /"__proto__"|"constructor"/.test(text),
  },
  {
    reason: 'A method that is not well-formed Unicode is no method',
    line: 'basic: messages MUST be UTF-8 encoded, which has no lone surrogates',
    right: 'both',
    shapes: [outcome('error -32600', 'error -32020')],
    request: ({ method = '' }) => !method.isWellFormed(),
  },
  {
    reason: 'Members of a message that JSON-RPC does not name are ignored; theirs refuse the message',
    line: 'JSON-RPC 2.0 "Request object" forbids none; schema.ts does not close the type',
    right: 'both',
    shapes: [...THEIR_REFUSAL, ...whateverOr('error -32600'), ...droppedOr('error -32600')],
    request: (facts) => {
      const { result, error, ...message } = messageOf(facts);
      return result === undefined && error === undefined && Object.keys(message).some((member) => !MEMBERS.has(member));
    },
  },
  {
    reason: 'A capability that is declared by something else than an object counts as not declared; theirs refuses the request',
    line: 'basic "_meta": clientCapabilities is an object, of whose members the text says nothing',
    right: 'both',
    shapes: [...THEIR_REFUSAL, ...whateverOr('error -32602')],
    request: (facts) => {
      const declared = CAPABILITIES.flatMap((name) => (name in capabilitiesOf(facts) ? [capabilitiesOf(facts)[name]] : []));
      const inner = declared.flatMap((value) => (isObject(value) ? Object.values(value as object) : []));
      return [...declared, ...inner].some((value) => !isObject(value));
    },
  },
  {
    reason: 'A notification whose envelope is malformed is dropped like any other; theirs is refused',
    line: 'basic/transports "Sending Messages": this revision defines no notification of a client over HTTP, nor what headers it has',
    right: 'both',
    shapes: [...droppedOr('error -32600'), ...droppedOr('error -32602')],
    request: ({ params, meta, ...facts }) =>
      messageOf({ params, meta, ...facts })['id'] === undefined &&
      (!isObject(params['_meta']) || 'progressToken' in meta || typeof meta['io.modelcontextprotocol/protocolVersion'] !== 'string'),
  },
  // HTTP.
  {
    reason: 'What is no JSON is a parse error, whatever the client accepts; theirs is 406',
    line: 'basic/transports "Sending Messages": Accept is a duty of clients, without a status; JSON-RPC 2.0: -32700',
    right: 'ours',
    shapes: [status(400, 406), outcome('error -32700', 'error -32000')],
  },
  {
    reason: 'A Host with a user name in it is refused',
    line: 'RFC 9110 §7.2: Host = uri-host [ ":" port ]',
    right: 'ours',
    shapes: [status(403, 200), { facet: 'id', ours: 'absent' }, outcome('error -32600', DONE)],
    request: ({ headers }) => headers['host']?.includes('@') ?? false,
  },
  {
    reason: 'Of two content types the first counts, as in Node; theirs joins them',
    line: 'RFC 9110 §5.3: a sender must not repeat such a field; what a recipient does is its own choice',
    right: 'both',
    shapes: [status(200, 415), { facet: 'id', official: null }, outcome(DONE, 'error -32000')],
    request: ({ headers }) => headers['content-type']?.includes(',') ?? false,
  },
  // Revisions and routing headers.
  {
    reason: 'A revision that is not served comes before a wrong Mcp-Method; theirs is the other way round',
    line: 'basic/transports "Protocol Version Header" and "Server Validation": both MUST, in no order',
    right: 'both',
    shapes: [outcome('error -32022', 'error -32020')],
    request: ({ headers, method }) => headers['mcp-method'] !== method,
  },
  {
    reason: 'A missing MCP-Protocol-Version comes before a revision that is not served; theirs is the other way round',
    line: 'basic/transports "Protocol Version Header" and "Server Validation": both MUST, in no order',
    right: 'both',
    shapes: [outcome('error -32020', 'error -32022')],
    request: ({ headers }) => headers['mcp-protocol-version'] === undefined,
  },
  {
    reason: 'A handshake without an envelope under a header of now lacks its envelope; theirs is a header mismatch',
    line: 'basic "_meta": -32602 for a request without it; how a header stands to a handshake is open (modelcontextprotocol issue 2721)',
    right: 'both',
    shapes: [outcome('error -32602', 'error -32020')],
    request: ({ method }) => method === 'initialize',
  },
  {
    reason:
      'A method that is not served is -32601 before its Mcp-Name is looked at; theirs knows the names of methods that it does not serve',
    line: 'basic/transports "Protocol Version Header": 404 and -32601 for a method that is not implemented; "Standard Request Headers" lists no tasks/*',
    right: 'ours',
    shapes: [status(404, 400), outcome('error -32601', 'error -32020')],
    request: ({ method = '' }) => method.startsWith('tasks/'),
  },
  {
    reason: 'An Mcp-Name without a name in the body is a mismatch; theirs are wrong params',
    line: 'basic/transports "Server Validation": a header value that does not match the corresponding body value is -32020',
    right: 'ours',
    shapes: [status(400, 200), outcome('error -32020', 'error -32602'), outcome('error -32020', 'error -32603')],
    request: ({ method = '', params, headers }) =>
      NAMED.has(method) && headers['mcp-name'] !== undefined && typeof params[method === 'resources/read' ? 'uri' : 'name'] !== 'string',
  },
  {
    reason: 'A routing header that is sent twice is refused whatever the method; theirs looks at it only where it is read',
    line: 'RFC 9110 §5.3: a sender must not repeat such a field; whoever routes by the first and whoever by the last would disagree',
    right: 'ours',
    shapes: [status(400, 200), outcome('error -32020', DONE)],
    request: ({ method = '', headers }) => !NAMED.has(method) && headers['mcp-name']?.includes(',') === true,
  },
  {
    reason: 'A number that no double holds is refused; theirs reads it as infinite, which it then loses',
    line: 'RFC 8259 §6: an implementation may limit the range of numbers it accepts; docs/reference/errors.md: -32600',
    right: 'ours',
    shapes: [status(400, 200), outcome('error -32600', DONE)],
    request: ({ text }) => /\d{309}|\de\+?\d{3}/i.test(text),
  },
  {
    reason: 'Base64 in a header must be canonical',
    line: 'RFC 4648 §3.5: a decoder may reject an encoding whose pad bits are not zero',
    right: 'both',
    shapes: [status(400, 200), outcome('error -32020', DONE)],
    request: ({ headers }) => headers['mcp-name'] === '=?base64?ZWNobx==?=',
  },
  {
    reason: 'A header with a byte that is not ASCII is refused; theirs takes it for Latin-1',
    line: 'basic/transports "Value Encoding" and "Server Behavior for Custom Headers": invalid characters MUST be rejected',
    right: 'ours',
    shapes: [status(400, 200), outcome('error -32020', DONE)],
    request: ({ headers }) =>
      Object.entries(headers).some(([name, value]) => /^mcp-(name|param-)/.test(name) && !/^[\t\u0020-\u007e]*$/.test(value)),
  },
  {
    reason: 'An Mcp-Param of an argument that is null, absent or no primitive is a mismatch; theirs ignores it',
    line: 'basic/transports "Server Validation": header values that do not match the body MUST be rejected; clients MUST omit such a header',
    right: 'ours',
    shapes: [status(400, 200), outcome('error -32020', DONE), outcome('error -32020', FAILED), outcome('error -32020', 'error -32602')],
    request: ({ headers, params }) => {
      const given = Object.keys(headers).flatMap((name) => (name.startsWith('mcp-param-') ? [name.slice('mcp-param-'.length)] : []));
      const args = (isObject(params['arguments']) ? params['arguments'] : {}) as Record<string, unknown>;
      const flat: Record<string, unknown> = { ...args, ...(args['place'] as object | undefined) };
      return given.some((name) => flat[name] === undefined || typeof flat[name] === 'object');
    },
  },
  {
    reason: 'An Mcp-Param of an integer may have an exponent; theirs may not',
    line: 'basic/transports "Server Validation": servers SHOULD compare integers numerically',
    right: 'ours',
    shapes: [status(200, 400), outcome(DONE, 'error -32020')],
    request: ({ headers }) => /^-?\d+e\d+$/i.test(headers['mcp-param-shard'] ?? ''),
  },
  // Lists, prompts, resources, completion.
  {
    reason: 'A cursor that was not handed out is refused; theirs has no pages and ignores it',
    line: 'server/utilities/pagination: invalid cursors SHOULD be -32602',
    right: 'ours',
    shapes: [outcome('error -32602', DONE), outcome('error -32602', 'result without resultType')],
    request: ({ method = '', params }) => LISTS.has(method) && params['cursor'] !== undefined,
  },
  {
    reason: 'A prompt that takes no arguments refuses any; theirs ignores them',
    line: 'server/prompts: servers SHOULD validate prompt arguments',
    right: 'both',
    shapes: [outcome('error -32602', DONE), outcome('error -32602', 'result without resultType')],
    request: ({ method, params }) => method === 'prompts/get' && params['arguments'] !== undefined && params['name'] !== 'greet',
  },
  {
    reason: 'A resource is read by its URI, sign by sign, and a template by what it expands to; theirs reads what the URI is normalised to',
    line: 'server/resources: servers MUST validate all resource URIs; docs/adr/0012; RFC 3986 §6.2.1 allows to compare simply',
    right: 'both',
    shapes: [outcome('error -32602', DONE), outcome(DONE, 'error -32602'), outcome('error -32602', 'result without resultType')],
    request: ({ method, params }) => {
      const { uri } = params;
      if (method !== 'resources/read' || typeof uri !== 'string') return false;
      return !/^demo:\/\/[a-z]+(\/[^/?#.%\s]+)?$/.test(uri) || uri.length > 2048;
    },
  },
  {
    reason: 'Variables of a template are percent-decoded',
    line: 'RFC 6570 §1.6 and §3.2.1: expansion encodes what is not unreserved; docs/adr/0012',
    right: 'both',
    shapes: [{ facet: /^result\.contents\[0\]\.text$/ }],
    request: ({ params }) => typeof params['uri'] === 'string' && params['uri'].includes('%'),
  },
  {
    reason: 'A completion without values says that the total is zero',
    line: 'server/utilities/completion: `total` is optional',
    right: 'both',
    shapes: [{ facet: 'result.completion.total', ours: 0, official: undefined }],
  },
  {
    reason: 'The error of a completion of an unknown template names its URI',
    line: 'basic "Responses": `data` may hold any further information',
    right: 'both',
    shapes: [{ facet: 'error.data.uri', official: undefined }],
    request: ({ method }) => method === 'completion/complete',
  },
  // Rounds.
  {
    reason: 'Answers that are no object are refused; theirs are ignored',
    line: 'basic/patterns/mrtr "Error Handling": servers SHOULD validate that it is an InputResponses object; protocol errors SHOULD be JSON-RPC errors',
    right: 'ours',
    shapes: ANY_RESULT.map((official) => outcome('error -32602', official)),
    request: ({ params }) => 'inputResponses' in params && !isObject(params['inputResponses']),
  },
  {
    reason: 'An answer to what was not asked yet is ignored; the other fixture takes it',
    line: 'basic/patterns/mrtr "Error Handling": the server SHOULD ignore what it does not recognise',
    right: 'both',
    shapes: [outcome('result input_required', DONE)],
    request: ({ params }) => params['name'] === 'ask_twice',
  },
  // Listening.
  {
    reason: 'A stream on which nothing can come stays open; theirs ends at once',
    line: 'basic/patterns/subscriptions: the acknowledgement says what is honoured; a server MAY end a stream, by an answer',
    right: 'both',
    shapes: [outcome('no answer', DONE), { facet: 'jsonrpc', ours: undefined, official: '2.0' }, { facet: 'id', ours: undefined }],
    request: ({ method }) => method === 'subscriptions/listen',
  },
  {
    reason: 'A URI that is watched twice is acknowledged once',
    line: 'basic/patterns/subscriptions: the acknowledgement has the subset that the server honours',
    right: 'both',
    shapes: [{ facet: 'notifications[0].params.notifications.resourceSubscriptions[1]', ours: undefined }],
  },
  // Clients of the revisions before.
  {
    reason: 'An older client is not promised what needs a session: list changes, updates, a log level',
    line: 'docs/adr/0002: no session; 2025-11-25 basic/lifecycle: a capability is declared by who has it',
    right: 'ours',
    shapes: [
      { facet: /^result\.capabilities\.(tools|prompts|resources)(\.listChanged|\.subscribe)?$/ },
      { facet: 'result.capabilities.logging', ours: undefined },
    ],
    request: ({ method }) => method === 'initialize',
  },
  {
    reason: 'An older client cannot set a log level, which would be forgotten at once',
    line: 'docs/adr/0002: no session; 2025-11-25 basic/lifecycle: what is not declared is not there',
    right: 'ours',
    shapes: [outcome('error -32601', 'result without resultType'), outcome('error -32601', 'error -32603')],
    request: ({ method }) => method === 'logging/setLevel',
  },
  {
    reason: 'The state of a round means nothing to an older revision and is ignored; theirs is refused',
    line: '2025-11-25 schema.ts: the params of a request are open, and `requestState` is none of them',
    right: 'ours',
    shapes: [outcome('result without resultType', 'error -32602')],
    request: ({ params, meta }) => 'requestState' in params && Object.keys(meta).length === 0,
  },
];
