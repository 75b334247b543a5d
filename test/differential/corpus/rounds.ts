import { call, EVERYTHING, rpc, STATE, type Area, type Case, type Edit } from './case.js';

const capabilities = EVERYTHING;
const ask = (name: string, more: Record<string, unknown> = {}, edit: Edit = { capabilities }) =>
  rpc('tools/call', { name, arguments: {}, ...more }, edit);
const accepted = { action: 'accept', content: { name: 'Ann' } };
const sampled = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm', stopReason: 'endTurn' };
const roots = { roots: [{ uri: 'file:///home/ann', name: 'home' }] };

/** The second round: the same call with the answers and the state of the first. */
const answered = (name: string, inputResponses: unknown, more: Record<string, unknown> = {}): Case => ({
  after: { request: ask(name) },
  request: ask(name, { inputResponses, requestState: STATE, ...more }),
});
const afterFirst: Case = answered('ask_twice', { first: accepted });
const stateOf = (requestState: unknown, name = 'ask_name') => ask(name, { inputResponses: { name: accepted }, requestState });

/** Rounds of questions (MCP basic/patterns/mrtr). */
export const rounds: Area = {
  'a form': ask('ask_name'),
  'a form, elicitation declared alone': ask('ask_name', {}, { capabilities: { elicitation: {} } }),
  'a form, form declared': ask('ask_name', {}, { capabilities: { elicitation: { form: {} } } }),
  'a form, url declared': ask('ask_name', {}, { capabilities: { elicitation: { url: {} } } }),
  'a form, nothing declared': ask('ask_name', {}, {}),
  'a form, other things declared': ask('ask_name', {}, { capabilities: { sampling: {}, roots: {} } }),
  'a page': ask('ask_url'),
  'a page, form declared': ask('ask_url', {}, { capabilities: { elicitation: { form: {} } } }),
  'a page, elicitation declared alone': ask('ask_url', {}, { capabilities: { elicitation: {} } }),
  'a page, nothing declared': ask('ask_url', {}, {}),
  'the model': ask('ask_model'),
  'the model, nothing declared': ask('ask_model', {}, {}),
  'the model, form declared': ask('ask_model', {}, { capabilities: { elicitation: {} } }),
  'the roots': ask('ask_roots'),
  'the roots, nothing declared': ask('ask_roots', {}, {}),
  'two kinds at once': ask('ask_both'),
  'two kinds at once, one declared': ask('ask_both', {}, { capabilities: { elicitation: {} } }),
  'two kinds at once, nothing declared': ask('ask_both', {}, {}),
  'one after the other': ask('ask_twice'),
  'a prompt': rpc('prompts/get', { name: 'asking' }, { capabilities }),
  'a prompt, nothing declared': rpc('prompts/get', { name: 'asking' }),
  'a resource': rpc('resources/read', { uri: 'demo://asking' }, { capabilities }),
  'a resource, nothing declared': rpc('resources/read', { uri: 'demo://asking' }),
  'a form accepted': answered('ask_name', { name: accepted }),
  'a form declined': answered('ask_name', { name: { action: 'decline' } }),
  'a form cancelled': answered('ask_name', { name: { action: 'cancel' } }),
  'a page accepted': answered('ask_url', { consent: { action: 'accept' } }),
  'the model answered': answered('ask_model', { greeting: sampled }),
  'the roots answered': answered('ask_roots', { roots }),
  'two kinds answered': answered('ask_both', { name: accepted, greeting: sampled }),
  'two kinds, one answered': answered('ask_both', { name: accepted }),
  'two kinds, the other answered': answered('ask_both', { greeting: sampled }),
  'the first of two answered': afterFirst,
  'the second of two answered': {
    after: afterFirst,
    request: ask('ask_twice', { inputResponses: { second: accepted }, requestState: STATE }),
  },
  'both of two answered at once': answered('ask_twice', { first: accepted, second: accepted }),
  'an answer under another key': answered('ask_name', { other: accepted }),
  'an answer and another': answered('ask_name', { name: accepted, other: accepted }),
  'no answers with the state': answered('ask_name', {}),
  'the state without answers': { after: { request: ask('ask_name') }, request: ask('ask_name', { requestState: STATE }) },
  'answers that are null': answered('ask_name', null),
  'answers that are an array': answered('ask_name', []),
  'answers that are a string': answered('ask_name', 'yes'),
  'an answer that is a string': answered('ask_name', { name: 'Ann' }),
  'an answer that is null': answered('ask_name', { name: null }),
  'an answer that is an empty object': answered('ask_name', { name: {} }),
  'an answer in a wrapper': answered('ask_name', { name: { method: 'elicitation/create', result: accepted } }),
  'an answer with an unknown action': answered('ask_name', { name: { action: 'maybe' } }),
  'an answer of another kind': answered('ask_name', { name: roots }),
  'an answer against the schema': answered('ask_name', { name: { action: 'accept', content: { name: 5 } } }),
  'an answer without its content': answered('ask_name', { name: { action: 'accept' } }),
  'an answer of the model without a model': answered('ask_model', {
    greeting: { role: 'assistant', content: { type: 'text', text: 'x' } },
  }),
  'roots that are none': answered('ask_roots', { roots: { roots: 'all' } }),
  'answers without a state': ask('ask_name', { inputResponses: { name: accepted } }),
  'answers without a state, under another key': ask('ask_name', { inputResponses: { nobody: accepted } }),
  'answers to who did not ask': rpc('tools/call', { name: 'echo', arguments: { text: 'hi' }, inputResponses: { name: accepted } }),
  'a state to who did not ask': rpc('tools/call', { name: 'echo', arguments: { text: 'hi' }, requestState: 'made up' }),
  'a state that is made up': stateOf('made up'),
  'a state that is empty': stateOf(''),
  'a state that is a number': stateOf(5),
  'a state that is null': stateOf(null),
  'a state that is an object': stateOf({}),
  'a state that is very long': stateOf('A'.repeat(70_000)),
  'a state with more at its end': { after: { request: ask('ask_name') }, request: stateOf(`${STATE}AAAA`) },
  'a state on a list': rpc('tools/list', { requestState: 'made up' }),
  'answers on a list': rpc('tools/list', { inputResponses: {} }),
  'answers on a list that are none': rpc('tools/list', { inputResponses: 'yes' }),
  'a state on discover': rpc('server/discover', { requestState: 5 }),
  'a prompt answered': {
    after: { request: rpc('prompts/get', { name: 'asking' }, { capabilities }) },
    request: rpc('prompts/get', { name: 'asking', inputResponses: { name: accepted }, requestState: STATE }, { capabilities }),
  },
  'a resource answered': {
    after: { request: rpc('resources/read', { uri: 'demo://asking' }, { capabilities }) },
    request: rpc('resources/read', { uri: 'demo://asking', inputResponses: { name: accepted }, requestState: STATE }, { capabilities }),
  },
  'a form accepted, the retry under the same id': answered('ask_name', { name: accepted }, {}),
  'an unknown tool with a state': call('nobody', {}, { capabilities }),
};
