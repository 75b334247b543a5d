import { HttpConnection } from '../load/http-connection.js';
import { requestBytes, toolCall } from '../load/mcp-request.js';
import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { ECHO_TEXT } from '../servers/echo-text.js';
import { withServer } from './with-subject.js';

const CALLS = 200;

/** Promises that a synchronous call makes beyond those of a bare route. The machine's speed has no part in it. */
export async function promisesOfCall(): Promise<ProbeResult> {
  return { beyond: (await promises('sync', 'echo_zod')) - (await promises('floor', 'echo_zod')) };
}

function promises(subjectName: string, tool: string): Promise<number> {
  return withServer(SUBJECTS[subjectName]!, async ({ subject, connection }) => {
    await call(connection, tool);
    await subject.ask('beginCounting');
    await call(connection, tool);
    return Math.round((await subject.ask<number>('promises')) / CALLS);
  });
}

async function call(connection: HttpConnection, tool: string): Promise<void> {
  const request = requestBytes(toolCall(tool, { text: ECHO_TEXT }));
  for (let count = 0; count < CALLS; count += 1) await connection.exchange(request);
}
