import type { Writable } from 'node:stream';

let isGuarded = false;

/**
 * Keeps everything but MCP messages off stdout (MCP transports "stdio"): from here on everything that the process
 * writes there, `console.log` and Nest's logger included, goes to stderr. This lasts until the process ends, because
 * output during the close of the app is not a message either.
 * @param output the served stream; nothing happens unless it is stdout
 */
export function guardStdout(output: Writable): void {
  if (output !== process.stdout || isGuarded) return;
  isGuarded = true;
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/** @throws Error when stdout is served already, by its only client */
export function assertFree(output: Writable): void {
  if (isGuarded && output === process.stdout) throw new Error('McpStdio.serve() was called twice: a process has one stdio client');
}
