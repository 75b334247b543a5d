import type { Group } from '../../model/row.js';
import { basics } from './basics.js';

/** Every DTO. */
export const DTO_GROUPS: readonly Group[] = [basics];
