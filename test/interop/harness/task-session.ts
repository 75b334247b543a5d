import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { asResult, CLIENT_INFO, connect, connectStdio, PROTOCOL_VERSION, type Answer, type Connected } from './official-client.js';
import { rawDispatchOver } from './raw-dispatch.js';

/** A question as it reached the client: within the call (`request`) or in the task, under its key. */
export interface Asked {
  readonly scope: 'request' | 'task';
  readonly key: string;
  readonly message: string;
}

/** The user in front of a client. */
export interface TaskClientOptions {
  readonly headers?: Record<string, string>;
  /** Answers by key. */
  readonly answers?: Readonly<Record<string, Answer>>;
}

/** A tasks session over its own official client, and the questions it was asked. */
export interface TaskClient {
  readonly session: TaskEnabledSession;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** Opens the official tasks client against a server. */
export async function openTaskClient(url: string, { headers, answers }: TaskClientOptions = {}): Promise<TaskClient> {
  return openSession(url, await connect(url, { ...(headers && { headers }), answer: () => 'decline' }), answers);
}

/** Opens the official tasks client against the example on stdio, which it starts. */
export async function openStdioTaskClient({ answers }: Pick<TaskClientOptions, 'answers'> = {}): Promise<TaskClient> {
  return openSession('stdio:example', await connectStdio({ answer: () => 'decline' }), answers);
}

function openSession(
  endpointId: string,
  { client, transport, capabilities }: Connected,
  answers: TaskClientOptions['answers'] = {},
): TaskClient {
  const asked: Asked[] = [];
  const refuse = () => {
    throw new Error('Only forms are expected here');
  };
  const session = createTaskSessionFromClient(client, {
    endpointId,
    rawDispatch: rawDispatchOver(transport),
    v2RequestFraming: { protocolVersion: PROTOCOL_VERSION, clientInfo: CLIENT_INFO, clientCapabilities: capabilities },
    onInputRequest: createApplicationInputHandler({
      elicitation: ({ params }, { scope, inputId = '' }) => {
        asked.push({ scope, key: inputId, message: params['message'] as string });
        return asResult(answers[inputId] ?? 'decline');
      },
      sampling: refuse,
      roots: refuse,
    }),
  });
  const close = async (): Promise<void> => {
    await session.close();
    await client.close();
  };
  return { session, asked, close };
}
