import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type InputRequests,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CONSENT, NAME_FORM, SAMPLE } from './fixtures.js';
import { emptyInput, said } from './official-tools.js';

type Question = InputRequests[string];
type Ask = () => Question;
type Answer = { readonly action?: string; readonly model?: string; readonly roots?: readonly unknown[] };
type Answers = Readonly<Record<string, Answer>>;

interface Steps {
  readonly name: string;
  readonly description: string;
  /** What is asked, one round after the other. */
  readonly steps: readonly Record<string, Ask>[];
}

/** Seals what has been answered so far, as our server does by itself. */
export type Mint = (answers: Answers) => Promise<string>;

const FORM = z.object({ name: z.string() });
const form =
  (message: string): Ask =>
  () =>
    inputRequired.elicit({ message, requestedSchema: NAME_FORM as never });
const NAME = form('Who?');
const GREETING: Ask = () => inputRequired.createMessage(SAMPLE);

/** What asks the client before it answers, by the official API. */
export function registerAsking(server: McpServer, mint: Mint): void {
  const tool = ({ name, description, steps }: Steps, say: (answers: Answers) => string): void => {
    server.registerTool(name, { description, inputSchema: emptyInput }, (_args, ctx) =>
      ask(ctx, { mint, steps, answer: (answers) => said(say(answers)) }),
    );
  };
  tool({ name: 'ask_name', description: 'Asks by a form', steps: [{ name: NAME }] }, ({ name }) => name!.action!);
  tool(
    { name: 'ask_url', description: 'Asks by a page', steps: [{ consent: () => inputRequired.elicitUrl(CONSENT) }] },
    ({ consent }) => consent!.action!,
  );
  tool({ name: 'ask_model', description: 'Asks the model', steps: [{ greeting: GREETING }] }, ({ greeting }) => greeting!.model!);
  tool({ name: 'ask_roots', description: 'Asks for the roots', steps: [{ roots: () => inputRequired.listRoots() }] }, ({ roots }) =>
    String(roots!.roots!.length),
  );
  tool(
    { name: 'ask_both', description: 'Asks two kinds at once', steps: [{ name: NAME, greeting: GREETING }] },
    ({ name, greeting }) => `${name!.action} ${greeting!.model}`,
  );
  const twice: Record<string, Ask>[] = [{ first: form('First?') }, { second: form('Second?') }];
  tool(
    { name: 'ask_twice', description: 'Asks one after the other', steps: twice },
    ({ first, second }) => `${first!.action} ${second!.action}`,
  );

  const text = ({ name }: Answers) => name!.action!;
  server.registerPrompt('asking', { description: 'Asks before it answers' }, (ctx) =>
    ask(ctx, {
      mint,
      steps: [{ name: NAME }],
      answer: (answers) => ({
        description: 'Asks before it answers',
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: text(answers) } }],
      }),
    }),
  );
  server.registerResource('asking', 'demo://asking', { mimeType: 'text/plain' }, (uri, ctx) =>
    ask(ctx, {
      mint,
      steps: [{ name: NAME }],
      answer: (answers) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: text(answers) }] }),
    }),
  );
}

interface Asking<R> {
  readonly mint: Mint;
  readonly steps: readonly Record<string, Ask>[];
  readonly answer: (answers: Answers) => R;
}

async function ask<R>({ mcpReq }: ServerContext, { mint, steps, answer }: Asking<R>) {
  const answers: Record<string, Answer> = { ...mcpReq.requestState<Answers>() };
  for (const step of steps) {
    const questions = Object.entries(step).map(([key, question]) => [key, question()] as const);
    for (const [key, question] of questions)
      if (isAnswered(mcpReq.inputResponses, key, question)) answers[key] = mcpReq.inputResponses![key] as Answer;
    const open = questions.filter(([key]) => answers[key] === undefined);
    if (open.length > 0) return inputRequired({ inputRequests: Object.fromEntries(open), requestState: await mint(answers) });
  }
  return answer(answers);
}

type Responses = ServerContext['mcpReq']['inputResponses'];

/** Whether the answer under the key is one to the question, as the functions of the SDK tell. */
function isAnswered(responses: Responses, key: string, { method, params }: Question): boolean {
  const view = inputResponse(responses, key);
  switch (method) {
    case 'elicitation/create': {
      if (view.kind !== 'elicit') return false;
      const isFilled = (params as { mode?: string }).mode === 'url' || acceptedContent(responses, key, FORM) !== undefined;
      return view.action === 'decline' || view.action === 'cancel' || (view.action === 'accept' && isFilled);
    }
    case 'sampling/createMessage':
      return view.kind === 'sampling' && typeof view.result.model === 'string';
    default:
      return view.kind === 'roots';
  }
}
