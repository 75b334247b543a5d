import { isJsonObject } from '../json.js';
import { Method } from '../vocabulary.js';
import { contentBlock, promptMessage, resourceContents, implementation, prompt, resource, resourceTemplate, tool } from './content.js';
import { inputRequests } from './input-requests.js';
import { SERVER_INFO_META_KEY } from '../official.js';
import { anyObject, arrayOf, boolean, both, duration, integer, misfitText, object, oneOf, type Shape, string } from './shape.js';

/** Any result: it names its kind. */
export const anyResult = object({ resultType: string }, { _meta: object({}, { [SERVER_INFO_META_KEY]: implementation }) });

const inputRequired = object({}, { inputRequests, requestState: string });
const cacheable = { ttlMs: duration, cacheScope: oneOf('public', 'private') };
const page = (member: string, entry: Shape): Shape => object({ [member]: arrayOf(entry), ...cacheable }, { nextCursor: string });

/** The result of a tool (MCP server/tools "Tool result"). */
export const toolResultShape = object({ content: arrayOf(contentBlock) }, { isError: boolean, _meta: anyObject });

/** The result of a prompt (MCP server/prompts "Getting a prompt"). */
export const promptResultShape = object({ messages: arrayOf(promptMessage) }, { description: string, _meta: anyObject });

/** The contents of a read (MCP server/resources "Reading resources"), before its cache hints. */
export const readContentsShape = object(
  { contents: arrayOf(resourceContents) },
  { ttlMs: duration, cacheScope: oneOf('public', 'private'), _meta: anyObject },
);

/** The result of a completion (MCP server/utilities/completion): at most 100 values. */
export const completionShape = object({ completion: object({ values: arrayOf(string, 100) }, { total: integer, hasMore: boolean }) });

const COMPLETE: Readonly<Record<string, Shape>> = {
  [Method.Discover]: object({ supportedVersions: arrayOf(string), capabilities: anyObject, ...cacheable }, { instructions: string }),
  [Method.ListTools]: page('tools', tool),
  [Method.ListPrompts]: page('prompts', prompt),
  [Method.ListResources]: page('resources', resource),
  [Method.ListResourceTemplates]: page('resourceTemplates', resourceTemplate),
  [Method.CallTool]: toolResultShape,
  [Method.GetPrompt]: promptResultShape,
  [Method.ReadResource]: both(readContentsShape, object(cacheable)),
  [Method.Complete]: completionShape,
};

/**
 * The compiled check of a method's results: the revision's shape if it is complete, questions if it asks. A result of another kind, and one of a
 * method that an extension adds, is checked as any result.
 */
export function resultShape(method: string): Shape {
  const complete = COMPLETE[method];
  return (value) => {
    const found = anyResult(value);
    if (found !== undefined || !isJsonObject(value)) return found;
    if (value.resultType === 'input_required') return inputRequired(value);
    return value.resultType === 'complete' ? complete?.(value) : undefined;
  };
}

const shapes = new Map<string, Shape>();

/** Why `result` is not what `method` may answer, by the revision's shape, for a log; undefined when it is. For carriers beside the request, such as tasks. */
export function resultMisfit(method: string, result: unknown): string | undefined {
  const shape = shapes.get(method) ?? resultShape(method);
  shapes.set(method, shape);
  const found = shape(result);
  return found && misfitText(found, 'result');
}
