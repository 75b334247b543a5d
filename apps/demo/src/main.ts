import 'reflect-metadata';
import { AppModule } from './app.module.js';
import { listen, reachable } from './listen.js';
import { createApp, startOrExplain } from './start-up.js';
import { thingsToTry } from './things-to-try.js';

await startOrExplain(async () => {
  const app = await createApp(AppModule);
  const url = `${await listen(app, process.env)}/mcp`;
  console.log(`listening on ${url}\n\n${thingsToTry(reachable(url))}`);
});
