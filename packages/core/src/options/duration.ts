/** A span of time as options take it: ISO-8601 (`PT2H`, `P1DT30M`), or whole milliseconds. */
export type DurationOption = string | number;

const ISO_DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;
const CALENDAR = /^P.*[YW]|^P[^T]*M/;

/**
 * The milliseconds of a duration.
 * @throws Error with the problem: not a duration, calendar units (whose length varies), not a whole number of
 * milliseconds, zero or negative
 */
export function parseDuration(duration: DurationOption): number {
  const ms = typeof duration === 'number' ? duration : parseIso(duration.trim());
  if (!Number.isSafeInteger(ms)) throw new Error(`"${duration}" is not a whole number of milliseconds`);
  if (ms <= 0) throw new Error(`"${duration}" is not longer than zero`);
  return ms;
}

function parseIso(text: string): number {
  if (CALENDAR.test(text)) throw new Error(`"${text}" uses calendar units, whose length varies: use days, hours, minutes and seconds`);
  const match = ISO_DURATION.exec(text);
  if (!match || text.endsWith('P') || text.endsWith('T'))
    throw new Error(`"${text}" is not a duration: write ISO-8601, such as PT30S or PT2H, or milliseconds`);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
}

/** The milliseconds that something may be kept: a duration, or 0 for not at all. @throws Error as `parseDuration` does */
export function parseTtl(duration: DurationOption): number {
  return duration === 0 ? 0 : parseDuration(duration);
}
