import 'reflect-metadata';
import { scriptedCalls } from './support/scripted-tools.js';
import { runSchedule } from './support/run-schedule.js';
const { calls, close } = await scriptedCalls();
const counts = new Map<string, number>();
for (let seed = 1; seed <= 200; seed++)
  await runSchedule(seed, {
    calls,
    onEvent: (l) => {
      const k = l
        .replace(/^\S+ /, '')
        .replace(/n\d+/g, 'n')
        .replace(/task-\d/g, 't');
      counts.set(k, (counts.get(k) ?? 0) + 1);
    },
  });
for (const [k, n] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 45)) console.log((n / 200).toFixed(1), k.slice(0, 100));
await close();
