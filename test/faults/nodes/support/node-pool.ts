import { NodeProcess } from './node-process.js';

/** Processes that came to no harm, or never were a node, for whoever needs one next. They keep no test run alive, and end with it. */
const idle: NodeProcess[] = [];
let isWarm = false;

/**
 * From now on another process is loaded as soon as one has ended: while a fault waits for a lease to run out there is time for that. Not for those who
 * measure what happens meanwhile.
 */
export function keepNodesWarm(): void {
  isWarm = true;
}

/** A process that is no node yet. */
export function takeNode(): NodeProcess {
  const node = idle.pop() ?? spawn();
  if (!node.isAlive) return takeNode();
  node.hold(true);
  return node;
}

/** Takes a node back: it rests if it can, else it is ended. */
export async function giveBack(node: NodeProcess): Promise<void> {
  if (await node.rest()) lay(node);
  else await node.end();
}

/** Ends those that rest, and keeps none warm any more. */
export async function endIdleNodes(): Promise<void> {
  isWarm = false;
  await Promise.all(idle.splice(0).map((node) => node.end()));
}

function spawn(): NodeProcess {
  const node = NodeProcess.spawn();
  void node.ended.then(() => {
    if (isWarm) lay(spawn());
  });
  return node;
}

function lay(node: NodeProcess): void {
  node.hold(false);
  idle.push(node);
}
