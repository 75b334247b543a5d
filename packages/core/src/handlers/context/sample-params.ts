import type { CreateMessageRequestParams, SamplingMessageContentBlock } from '../../protocol/official.js';

/**
 * Params of a request to the client's model (MCP client/sampling "Creating messages"). `maxTokens` and at least one
 * message are required.
 */
export type SampleParams = Omit<CreateMessageRequestParams, '_meta' | 'task'>;

/**
 * Refuses what no client may be sent (MCP client/sampling "Messages"): a user's message with results of tools holds nothing else, and every
 * use of a tool is answered by its result in the very next message.
 * @throws TypeError, a mistake of the author
 */
export function assertSample({ messages, maxTokens }: SampleParams): void {
  if (!Array.isArray(messages) || messages.length === 0) throw new TypeError('ctx.sample needs at least one message');
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) throw new TypeError('ctx.sample needs maxTokens, a whole number above zero');
  let called: ReadonlySet<string> = new Set();
  for (const [index, { role, content }] of messages.entries()) {
    const where = `messages[${index}]`;
    if (role !== 'user' && role !== 'assistant') throw new TypeError(`${where} of ctx.sample needs a role: user or assistant`);
    const blocks = Array.isArray(content) ? content : [content];
    const results = blocks.filter((block) => block.type === 'tool_result');
    if (results.length > 0 && (role !== 'user' || results.length < blocks.length))
      throw new TypeError(`${where} of ctx.sample has tool results: its role must be user, and it must contain nothing else`);
    assertAnswered(called, new Set(results.map(({ toolUseId }) => toolUseId)), where);
    called = toolUses(blocks);
  }
}

function assertAnswered(called: ReadonlySet<string>, answered: ReadonlySet<string>, where: string): void {
  const open = [...called].find((id) => !answered.has(id));
  if (open !== undefined) throw new TypeError(`${where} of ctx.sample must have the result of the tool use "${open}" before it`);
  const stray = [...answered].find((id) => !called.has(id));
  if (stray !== undefined)
    throw new TypeError(`${where} of ctx.sample has a result of the tool use "${stray}", which the message before does not have`);
}

function toolUses(blocks: readonly SamplingMessageContentBlock[]): ReadonlySet<string> {
  return new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
}
