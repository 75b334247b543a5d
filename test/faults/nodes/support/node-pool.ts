import { NodeProcess } from './node-process.js';

/** Processes that came to no harm, for the next fault. They keep no test run alive, and end with it. */
const idle: NodeProcess[] = [];

/** A process that is no node yet. */
export function takeNode(): NodeProcess {
  const node = idle.pop() ?? NodeProcess.spawn();
  if (!node.isAlive) return takeNode();
  node.hold(true);
  return node;
}

/** Takes a node back: it rests if it can, else it is ended. */
export async function giveBack(node: NodeProcess): Promise<void> {
  if (!(await node.rest())) return void (await node.end());
  node.hold(false);
  idle.push(node);
}

/** Ends those that rest. */
export async function endIdleNodes(): Promise<void> {
  await Promise.all(idle.splice(0).map((node) => node.end()));
}
