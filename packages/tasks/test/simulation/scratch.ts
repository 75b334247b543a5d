import 'reflect-metadata';
import { scriptedCalls } from './support/scripted-tools.js';
import { runSchedule } from './support/run-schedule.js';
const { calls, close } = await scriptedCalls();
const from = Number(process.argv[2] ?? 1),
  count = Number(process.argv[3] ?? 1);
process.on('unhandledRejection', (e) => {
  console.log('UNHANDLED', e);
  process.exit(1);
});
if (count === 1) {
  const run = await runSchedule(from, {
    calls,
    onEvent: (l) => console.log(l.replace(/^(\d+)/, (t) => String(Number(t) - Date.UTC(2026, 7, 1)))),
  });
  console.log(run.mark, run.remains, run.history.faults, run.history.acknowledgements.length, run.history.sightings.length, run.schedule);
  for (const c of run.history.commits)
    console.log(
      c.at - Date.UTC(2026, 7, 1),
      c.by,
      c.after?.arguments.name,
      c.after?.status,
      c.after?.version,
      c.after?.run,
      c.after?.statusMessage,
    );
} else {
  const t = performance.now();
  let events = 0;
  const faults = new Map<string, number>();
  let unfinished = 0;
  for (let seed = from; seed < from + count; seed++) {
    const run = await runSchedule(seed, { calls });
    events += Number(run.mark.split(':')[0]);
    for (const [k, n] of run.history.faults) faults.set(k, (faults.get(k) ?? 0) + n);
    if (
      run.remains.tasks.some((t) => t.status === 'working') ||
      run.remains.entries ||
      run.remains.deadSessions.length ||
      run.remains.records ||
      run.history.defects.length
    ) {
      unfinished++;
      if (unfinished < 15)
        console.log(
          seed,
          run.remains.tasks.map((t) => t.status + '/' + t.run?.owner.slice(0, 4)),
          run.remains.deadSessions,
          run.remains.entries,
          run.remains.records,
          run.history.defects,
        );
    }
  }
  const ms = performance.now() - t;
  console.log({ count, ms, perSchedule: ms / count, eventsPer: events / count, unfinished }, faults);
}
await close();
