import 'reflect-metadata';
import { listen, reachable, startOrExplain } from '@mocapi/demo';
import { ResolvedTasksOptions } from '@mocapi/tasks';
import { greeting } from './greeting.js';
import { nodeSettings } from './node-settings.js';
import { createNode } from './create-node.js';

await startOrExplain(async () => {
  const settings = nodeSettings(process.env);
  const app = await createNode(settings);
  const url = `${await listen(app, process.env)}/mcp`;
  console.log(`listening on ${url}\n${greeting(settings, { url: reachable(url), leaseMs: app.get(ResolvedTasksOptions).leaseMs })}`);
});
