import { coerceText } from '../schema/coerce-text.js';
import type { JsonObject } from '../protocol/json.js';
import type { HandlerCustomizer, HandlerUnderConstruction } from './handler-customizer.js';
import { currentPass } from './pass-scope.js';
import { InvalidArgumentsError } from './handler-failure.js';

/**
 * Checks the arguments of every handler against the schema it advertises, after all guards and before the author's pipes, and fills in
 * defaults. A DTO stays plain: the pipes get what came in, and `finishPipe` makes the DTO after them. The framework's own use of the validation
 * stratum; attached first, so that customizers see checked arguments.
 */
export class ArgumentValidation implements HandlerCustomizer {
  customize(handler: HandlerUnderConstruction): void {
    const { inputSchema, kind } = handler;
    handler.intercept('validation', async (execution, next) => {
      const sent = execution.arguments as JsonObject;
      const parsed = await inputSchema.begin(kind === 'tool' ? sent : coerceText(sent, inputSchema.json));
      if (!parsed.ok) throw new InvalidArgumentsError(parsed.issues);
      currentPass().pass.args = parsed.value;
      return next();
    });
  }
}
