import type { ContentBlock, JsonObject } from '@mocapi/core';
import type { InputRequests, NotificationMessage, WireError } from '@mocapi/core/extension';

/** Members of a result of any method, as far as tests read them. */
export interface ReplyResult {
  readonly resultType: string;
  readonly content?: readonly (ContentBlock & { readonly text?: string })[];
  // Whatever the tool returned; a test knows what.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly structuredContent?: any;
  readonly isError?: boolean;
  /** Of an `input_required` result. */
  readonly inputRequests?: InputRequests;
  readonly requestState?: string;
  /** Of a task. */
  readonly taskId?: string;
  readonly status?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly [member: string]: any;
}

/** A server's answer to one request. */
export interface McpReply<R = ReplyResult> {
  /** The HTTP status. */
  readonly status: number;
  readonly result?: R;
  readonly error?: WireError;
  /** Notifications before the answer on a stream, in order. */
  readonly notifications: readonly NotificationMessage[];
  readonly headers: Headers;
  /** The whole body as it came. */
  readonly raw: string;
  /** The request, for a retry. */
  readonly request: { readonly method: string; readonly params: JsonObject };
}

/** A message as it may stand in a body: an answer, or a notification. */
type AnyMessage = { readonly method?: string; readonly result?: unknown; readonly error?: WireError };

/** The messages of a body: one of JSON, or those of an event stream. A body that is neither has none. */
export function readMessages(contentType: string, body: string): AnyMessage[] {
  if (contentType.startsWith('text/event-stream')) return body.split(/\r?\n\r?\n/).flatMap(readFrame);
  return contentType.startsWith('application/json') && body !== '' ? [JSON.parse(body) as AnyMessage] : [];
}

function readFrame(frame: string): AnyMessage[] {
  const lines = frame.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  const data = lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
  return data === '' ? [] : [JSON.parse(data) as AnyMessage];
}

/** The reply that `messages` make: the last that is an answer, and every notification. */
export function replyOf<R>(messages: readonly AnyMessage[], rest: Omit<McpReply<R>, 'result' | 'error' | 'notifications'>): McpReply<R> {
  const answer = messages.findLast((message) => message.method === undefined);
  return {
    ...rest,
    ...(answer?.result === undefined ? {} : { result: answer.result as R }),
    ...(answer?.error === undefined ? {} : { error: answer.error }),
    notifications: messages.filter((message): message is NotificationMessage => message.method !== undefined),
  };
}
