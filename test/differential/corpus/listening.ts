import type { Change } from '../servers/endpoint.js';
import { OUT, rpc, type Area, type Case, type Edit } from './case.js';

const listen = (notifications: unknown, listens: readonly Change[] = [], edit: Edit = {}): Case => ({
  request: rpc('subscriptions/listen', { notifications }, edit),
  listens,
});
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** `subscriptions/listen` (MCP basic/utilities/subscriptions). */
export const listening: Area = {
  'to tools': listen({ toolsListChanged: true }, ['tools']),
  'to prompts': listen({ promptsListChanged: true }, ['prompts']),
  'to resources': listen({ resourcesListChanged: true }, ['resources']),
  'to all, each changes': listen(ALL, ['tools', 'prompts', 'resources']),
  'to tools, others change': listen({ toolsListChanged: true }, ['prompts', 'resources', 'resource demo://text']),
  'to a resource': listen({ resourceSubscriptions: ['demo://text'] }, ['resource demo://text']),
  'to a resource, another changes': listen({ resourceSubscriptions: ['demo://text'] }, ['resource demo://blob']),
  'to two resources': listen({ resourceSubscriptions: ['demo://text', 'demo://blob'] }, ['resource demo://text', 'resource demo://blob']),
  'to a resource twice': listen({ resourceSubscriptions: ['demo://text', 'demo://text'] }, ['resource demo://text']),
  'to a resource of a template': listen({ resourceSubscriptions: ['demo://items/1'] }, ['resource demo://items/1']),
  'to a resource that is unknown': listen({ resourceSubscriptions: ['demo://nothing'] }, []),
  'to no resource': listen({ resourceSubscriptions: [] }),
  'to what is false': listen({ toolsListChanged: false }, ['tools']),
  'to nothing': listen({}),
  'to something unknown': listen({ weatherChanged: true }),
  'to something unknown and tools': listen({ weatherChanged: true, toolsListChanged: true }, ['tools']),
  'to what is no boolean': listen({ toolsListChanged: 'yes' }),
  'to what is null': listen({ toolsListChanged: null }),
  'to resources that are a string': listen({ resourceSubscriptions: 'demo://text' }),
  'to resources that are numbers': listen({ resourceSubscriptions: [1] }),
  'with a filter that is missing': listen(OUT),
  'with a filter that is null': listen(null),
  'with a filter that is an array': listen([]),
  'with a filter that is a string': listen('all'),
  'with an id that is a string': listen({ toolsListChanged: true }, ['tools'], { message: { id: 'listening' } }),
  'with an id that is zero': listen({ toolsListChanged: true }, ['tools'], { message: { id: 0 } }),
  'with a last event id': listen({ toolsListChanged: true }, [], { headers: { 'Last-Event-ID': '5' } }),
  'with a progress token': listen({ toolsListChanged: true }, ['tools'], { meta: { progressToken: 'p' } }),
  'without Mcp-Method': listen({ toolsListChanged: true }, [], { headers: { 'Mcp-Method': OUT } }),
  'with Accept of JSON alone': listen({ toolsListChanged: true }, [], { headers: { Accept: 'application/json' } }),
  'without Accept': listen({ toolsListChanged: true }, [], { headers: { Accept: OUT } }),
  'without an id': listen({ toolsListChanged: true }, [], { message: { id: OUT } }),
  'to tasks, without the extension': listen({ taskIds: ['a'] }),
  'by a small server': { ...listen({ toolsListChanged: true }, ['tools']), pair: 'small' },
  'by a small server, to prompts': { ...listen({ promptsListChanged: true }, ['prompts']), pair: 'small' },
  'by a small server, to a resource': { ...listen({ resourceSubscriptions: ['demo://text'] }, ['resource demo://text']), pair: 'small' },
};
