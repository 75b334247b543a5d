import type { Writable } from 'node:stream';

let isGuarded = false;

/**
 * Keeps everything but MCP messages off stdout (MCP transports "stdio"): from here on whatever the process writes there, `console.log` and Nest's
 * logger included, goes to stderr. It stays so until the process ends, as what is written while the app closes is no message either.
 *
 * @param output the stream that is served; nothing happens unless it is stdout
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
