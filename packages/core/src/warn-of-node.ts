import { Logger } from '@nestjs/common';

/** The first release of each line in which hashes cannot be flooded by the names of headers and JSON members. */
const FIXED: Readonly<Record<number, readonly [minor: number, patch: number]>> = { 20: [20, 2], 22: [22, 2], 24: [14, 1] };

let wasSaid = false;

/** Warns once in a process when its Node is open to hash flooding: one request can then hold the event loop for long. */
export function warnOfNode(version: string = process.versions.node): void {
  if (wasSaid || !isFloodable(version)) return;
  wasSaid = true;
  new Logger('McpModule').warn(`Node ${version} is open to hash flooding by requests: update to 20.20.2, 22.22.2, 24.14.1 or later`);
}

/** Whether a release of Node has the fault. Lines without long support before 25 have it in all of theirs. */
export function isFloodable(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const fixed = FIXED[major];
  if (!fixed) return major < 25;
  return minor < fixed[0] || (minor === fixed[0] && patch < fixed[1]);
}
