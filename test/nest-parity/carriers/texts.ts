import type { Observation } from '../compare/observation.js';
import { asTexts } from '../model/text-arguments.js';
import type { Trip } from './carrier.js';

/** Why a prompt or a template cannot carry the request: their arguments are texts, and so is the answer of a prompt. */
export function textObstacle({ surface: { row }, input }: Trip, { end }: Observation): string | undefined {
  if (asTexts(row, input.args) === undefined) return 'an argument that is no text, or reads as something else';
  if (end.kind === 'answered' && typeof end.answer !== 'string') return 'an answer that is no text';
  return undefined;
}
