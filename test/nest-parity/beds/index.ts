import type { Bed } from './bed.js';
import { bare } from './bare.js';
import { FILTER_BEDS } from './filters.js';
import { GUARD_BEDS } from './guards.js';
import { PIPE_BEDS } from './pipes.js';
import { validating } from './validating.js';

/** Every application of a run. */
export const BEDS: readonly Bed[] = [bare, validating, ...PIPE_BEDS, ...GUARD_BEDS, ...FILTER_BEDS];
