import type { McpReply } from '@mocapi/testing';
import { telling } from '../compare/http-headers.js';
import type { End, Observation } from '../compare/observation.js';
import type { Pass } from '../model/journal.js';

type Result = NonNullable<McpReply['result']>;

/** What a client of MCP observed. @param reply the answer whose headers count */
export function observed(passes: readonly Pass[], end: End, reply: McpReply): Observation {
  return { passes, end, headers: telling(reply.headers), httpStatus: reply.status };
}

/** Carriers call handlers of different names, which says nothing of the failure. */
const unnamed = (text: string): string => text.replaceAll(/\bRow\d+(?:\.task)?\b/g, 'it').replaceAll(/errorId [\w-]+/g, 'errorId …');

/** How a reply that is no task ended. */
export function endOfReply({ result, error, raw }: McpReply): End {
  if (error) return { kind: 'refused', code: error.code, said: [error.message, ...issuesOf(error.data)].map(unnamed) };
  if (!result) return { kind: 'refused', code: undefined, said: [`no answer: ${raw}`] };
  return endOfResult(result);
}

/** How a result ended, be it of a call or of a task. */
export function endOfResult(result: Result): End {
  if (result.isError) return { kind: 'refused', code: undefined, said: (result.content ?? []).map(({ text }) => unnamed(text ?? '')) };
  if (result.structuredContent !== undefined) return { kind: 'answered', answer: result.structuredContent };
  return { kind: 'answered', answer: textOf(result) };
}

/** Each kind of handler has its text in another place. */
function textOf({ content, messages, contents }: Result): unknown {
  const [first] =
    content ?? contents ?? (messages as { content: { text?: string } }[] | undefined)?.map((message) => message.content) ?? [];
  return (first as { text?: string } | undefined)?.text;
}

function issuesOf(data: unknown): string[] {
  const { issues } = (data ?? {}) as { issues?: readonly { path?: string; message?: string }[] };
  return (issues ?? []).map(({ path, message }) => (path ? `${path}: ${message}` : `${message}`));
}
