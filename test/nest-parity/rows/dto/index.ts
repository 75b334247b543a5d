import type { Group } from '../../model/row.js';
import { basics } from './basics.js';
import { deciding } from './deciding.js';
import { mappedTypes } from './mapped.js';
import { nesting } from './nesting.js';
import { textRules } from './text-rules.js';
import { transforming } from './transforming.js';
import { valueRules } from './value-rules.js';

/** DTOs as applications have them: small in number, tried with every input on every carrier. */
export const WHOLE_DTOS: readonly Group[] = [basics, nesting, transforming, mappedTypes, deciding];

/** DTOs of one rule each. */
export const RULE_DTOS: readonly Group[] = [textRules, valueRules];
