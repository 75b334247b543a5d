import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { withServer } from './with-subject.js';

/** The time of adding a tool beside 5,000 others by that beside 500. */
export async function addTool(): Promise<ProbeResult> {
  return { time: (await microsecondsBeside('lists5000')) / (await microsecondsBeside('lists500')) };
}

function microsecondsBeside(subjectName: string): Promise<number> {
  return withServer(SUBJECTS[subjectName]!, ({ subject }) => subject.ask<number>('addTools', 200));
}
