import 'reflect-metadata';
import { scriptedCalls } from './support/scripted-tools.js';
import { runSchedule } from './support/run-schedule.js';
import { violationsOf } from './support/check-run.js';
const { calls, close } = await scriptedCalls();
const from = Number(process.argv[2] ?? 1),
  count = Number(process.argv[3] ?? 1);
const T0 = Date.UTC(2026, 7, 1);
const rel = (l: string) => l.replaceAll(/\b(\d{13})\b/g, (t) => String(Number(t) - T0));
process.on('unhandledRejection', (e) => {
  console.log('UNHANDLED', e);
  process.exit(1);
});
if (count === 1) {
  const run = await runSchedule(from, { calls, onEvent: (l) => console.log(rel(l)) });
  console.log(run.mark, run.remains, run.history.faults);
  console.dir(run.schedule, { depth: 9 });
  for (const c of run.history.commits)
    console.log(
      c.at - T0,
      c.by,
      c.after?.arguments.name,
      c.after?.status,
      c.after?.version,
      c.after?.run,
      c.after?.statusMessage,
      c.after?.error ?? JSON.stringify(c.after?.result) ?? '',
    );
  console.dir(
    [...run.history.lives.values()].map((l) => ({
      ...l,
      from: l.from - T0,
      diedAt: l.diedAt && l.diedAt - T0,
      pauses: l.pauses.map((p) => [p.from - T0, p.until - T0]),
      leavesAt: l.leavesAt && l.leavesAt - T0,
      leftAt: l.leftAt && l.leftAt - T0,
    })),
    { depth: 5 },
  );
  for (const v of violationsOf(run)) console.log(rel(v));
} else {
  const cpu0 = process.cpuUsage();
  const t = performance.now();
  let events = 0;
  const faults = new Map<string, number>();
  const by = new Map<string, number[]>();
  let checkMs = 0;
  for (let seed = from; seed < from + count; seed++) {
    const run = await runSchedule(seed, { calls });
    events += Number(run.mark.split(':')[0]);
    for (const [k, n] of run.history.faults) faults.set(k, (faults.get(k) ?? 0) + n);
    const t1 = performance.now();
    for (const v of violationsOf(run)) {
      const k = v.replace(/: .*/s, '');
      by.set(k, [...(by.get(k) ?? []), seed]);
      if (by.get(k)!.length <= 3) console.log(seed, rel(v));
    }
    checkMs += performance.now() - t1;
  }
  const ms = performance.now() - t;
  console.log(
    {
      count,
      ms,
      perSchedule: ms / count,
      checkMs,
      eventsPer: events / count,
      cpu: (process.cpuUsage(cpu0).user + process.cpuUsage(cpu0).system) / 1000 / count,
    },
    faults,
  );
  for (const [k, seeds] of by) console.log(k, seeds.length, seeds.slice(0, 10).join(' '));
}
await close();
