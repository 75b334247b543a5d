import type { Fault } from '../support/fault.js';
import { schemaBombs } from './s2-bombs.js';
import { noisyFlood } from './p6-flood.js';
import { anonymousFlood } from './s3-flood.js';
import { parkedStorm } from './s8-storm.js';

/** Floods of one caller against a server with a small heap, which another caller uses. They bound times, so they are run alone. */
export const LIMIT_FAULTS: readonly Fault[] = [schemaBombs, anonymousFlood, parkedStorm, noisyFlood];
