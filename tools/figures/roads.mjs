// What a warm call enters: our files and functions, by V8's precise coverage.
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROAD_APPS, startRoadApp } from './road-app.ts';

const OURS = /\/packages\/(core|tasks)\/src\//;
const WARM_UPS = 20;
const VERSION = '2026-07-28';
const CAPABILITIES = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
// A parked task does nothing more; nothing may be asked of it meanwhile, since that would be counted.
const PARKS_WITHIN_MS = 300;

/** Files and functions that a warm synchronous `tools/call` enters. */
export function roadOfCall() {
  return road('call', async (url) => {
    const { result } = await post(url, call('echo'));
    if (result?.content?.[0]?.text !== 'hello') throw new Error(`The tool did not answer: ${JSON.stringify(result)}`);
  });
}

/** The same from a call that becomes a task, over its question, until it is parked. */
export function roadOfTask() {
  const created = [];
  const run = async (url) => {
    const { result } = await post(url, call('ask'));
    created.push(result.taskId);
    await sleep(PARKS_WITHIN_MS);
  };
  return road('task', run, async (url) => {
    const taskId = created.at(-1);
    const { result } = await post(url, { method: 'tasks/get', name: taskId, params: { taskId } });
    if (result.status !== 'input_required') throw new Error(`The task is ${result.status}, not parked`);
  });
}

async function road(name, run, check = async () => undefined) {
  const { url, close } = await startRoadApp(ROAD_APPS[name]);
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    for (let time = 0; time < WARM_UPS; time += 1) await run(url);
    // Taking it sets every count to 0.
    await session.post('Profiler.takePreciseCoverage');
    await run(url);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await check(url);
    return entered(result);
  } finally {
    session.disconnect();
    await close();
  }
}

function entered(scripts) {
  const files = scripts
    .filter(({ url }) => OURS.test(url))
    .map(({ url, functions }) => ({ url, count: functions.filter(({ ranges: [whole] }) => whole.count > 0).length }))
    .filter(({ count }) => count > 0);
  return { files: files.length, functions: files.reduce((sum, { count }) => sum + count, 0) };
}

const call = (name) => ({ method: 'tools/call', name, params: { name, arguments: { text: 'hello' } } });

async function post(url, { method, name, params }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'figures', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
      'Mcp-Name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  return response.json();
}
