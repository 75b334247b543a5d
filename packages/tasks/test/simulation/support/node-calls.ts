import type { CallOutcome, CallRunner, HandlerInvocation } from '@mocapi/core/extension';
import type { Execution, History } from './history.js';
import { bodyWorlds } from './scripted-tools.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { SimulatedTime } from './simulated-time.js';
import type { TaskPlan } from './task-plan.js';

/** What the bodies of one node run in. */
export interface NodeCallsParts {
  readonly calls: CallRunner;
  readonly time: SimulatedTime;
  readonly history: History;
  readonly process: SimulatedProcess;
  /** By the name that a call carries as its argument. */
  readonly plans: ReadonlyMap<string, TaskPlan>;
}

/** Tool calls as they are run on one node: each body finds the script of its task, and is noted in the history. */
export function callsOfNode(parts: NodeCallsParts): CallRunner {
  const { calls } = parts;
  let bodies = 0;
  const run = async (invocation: HandlerInvocation): Promise<CallOutcome> => {
    const { target } = invocation;
    const ticket = `${parts.process.name}/${(bodies += 1)}`;
    const ended = enter(parts, ticket, invocation);
    const outcome = await calls.run({ ...invocation, target: { ...target, arguments: { ...target.arguments, ticket } } });
    ended();
    return outcome;
  };
  return Object.create(calls, { run: { value: run } }) as CallRunner;
}

function enter(
  { time, history, process, plans }: NodeCallsParts,
  ticket: string,
  { target: { arguments: args }, trigger }: HandlerInvocation,
): () => void {
  const name = args.name as string;
  const plan = plans.get(name.split('/')[0]!)!;
  const execution: Execution = {
    at: time.now,
    task: name,
    node: process.name,
    trigger,
    steps: [],
    enteredAt: Infinity,
    endedAt: undefined,
    stopped: undefined,
  };
  bodyWorlds.set(ticket, {
    acts: plan.acts,
    ignoresSignal: plan.ignoresSignal,
    wait: (ms) => time.wait(ms, { what: `${process.name} ${name} goes on`, process }),
    entered: () => {
      execution.enteredAt = time.now;
      history.executions.push(execution);
      time.note(`${process.name} runs ${name}, ${trigger}`);
    },
    stepped: (key) => void execution.steps.push(key),
    stopped: (reason) => void (execution.stopped = { reason, at: time.now }),
  });
  return () => {
    execution.endedAt = time.now;
    bodyWorlds.delete(ticket);
  };
}
