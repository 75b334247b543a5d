import type { Bed } from './bed.js';
import { bare } from './bare.js';
import { validating } from './validating.js';

/** Every application of a run. */
export const BEDS: readonly Bed[] = [bare, validating];
