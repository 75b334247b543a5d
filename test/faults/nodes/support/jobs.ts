import type { JsonObject } from '@mocapi/core';
import { accept, answerInput, type McpReply, type McpTestClient } from '@mocapi/testing';

/** A task that a test began, and the name under which the tool counts what it does for it. */
export interface Job {
  readonly taskId: string;
  readonly job: string;
}

/** What to begin. */
export interface JobsToStart {
  readonly tool: string;
  readonly count: number;
  /** Beside `job`. */
  readonly args?: JsonObject;
  /** What the jobs are called, with a number. @default the tool's name */
  readonly called?: string;
}

const AT_ONCE = 100;

/** Begins tasks, a hundred at a time. @throws Error when a call does not become one */
export function startJobs(client: McpTestClient, { tool, count, args = {}, called = tool }: JobsToStart): Promise<Job[]> {
  const names = Array.from({ length: count }, (_, index) => `${called}-${index}`);
  return inBatches(names, AT_ONCE, (job) => startJob(client, tool, { ...args, job }));
}

/** Begins one task. @throws Error when the call does not become one */
export async function startJob(client: McpTestClient, tool: string, args: JsonObject & { readonly job: string }): Promise<Job> {
  const reply = await client.callTool(tool, args);
  if (reply.result?.taskId === undefined) throw new Error(`${tool} did not become a task: ${reply.raw}`);
  return { taskId: reply.result.taskId, job: args.job };
}

/** Says yes to questions. */
export function sayYes(client: McpTestClient, { taskId }: Job, keys: readonly string[] = ['go']): Promise<McpReply> {
  return answerInput(client, { taskId }, Object.fromEntries(keys.map((key) => [key, accept({ yes: true })])));
}

/** Does `act` for each item, `size` at a time, in order. */
export async function inBatches<T, R>(items: readonly T[], size: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += size) results.push(...(await Promise.all(items.slice(from, from + size).map(act))));
  return results;
}

/** How often a tool has counted `what` for each of the jobs. */
export function timesOf(counts: ReadonlyMap<string, number>, what: string, jobs: readonly Job[]): number[] {
  return jobs.map(({ job }) => counts.get(`${what}:${job}`) ?? 0);
}
