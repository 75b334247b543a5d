import type { AcceptedDifference } from './compare/judge.js';
import type { Difference } from './compare/differ.js';
import type { Compared } from './compare/run-case.js';
import { describeRequest, type RawRequest } from './wire/raw-request.js';

/** A case with a difference that nobody listed. */
export interface Failure extends Compared {
  readonly name: string;
  readonly request: RawRequest;
  readonly unlisted: readonly Difference[];
}

/** The outcome of a run, as it adds up. */
export class Tally {
  agreed = 0;
  /** Cases in which a listed difference was seen, by entry. */
  readonly seen = new Map<AcceptedDifference, number>();
  readonly failures: Failure[] = [];
  accepted = 0;

  get compared(): number {
    return this.agreed + this.accepted + this.failures.length;
  }
}

const shorten = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

/** A failure in full: the request as it was sent, and what both made of it. */
export function describeFailure({ name, request, unlisted, ours, official }: Failure): string {
  const rows = unlisted
    .slice(0, 12)
    .map(({ facet, ours: own, official: other }) => `  ${facet}: ours ${shorten(own)}, official ${shorten(other)}`);
  return [
    `\nNot listed: ${name}`,
    ...rows,
    ...indented('request', describeRequest(request)),
    ...indented(`ours, ${ours.status}`, ours.body.slice(0, 600)),
    ...indented(`official, ${official.status}`, official.body.slice(0, 600)),
  ].join('\n');
}

/** What was listed and seen, the most frequent first. */
export function describeAccepted(seen: ReadonlyMap<AcceptedDifference, number>): string {
  const rows = [...seen].toSorted(([, first], [, second]) => second - first);
  return rows.map(([{ reason, line, right }, count]) => `  ${String(count).padStart(4)}  ${reason} [${right}: ${line}]`).join('\n');
}

function indented(title: string, text: string): string[] {
  return [`  ${title}:`, ...text.split('\n').map((line) => `    ${line}`)];
}
