import type { HandlerCustomizer, HandlerUnderConstruction } from './handler-customizer.js';
import { currentPass } from './pass-scope.js';
import { InvalidArgumentsError } from './tool-failure.js';

/**
 * Checks the arguments of every handler against the schema it advertises, after all guards and before the author's pipes, and fills in
 * defaults. The framework's own use of the validation stratum; attached first, so that customizers see checked arguments.
 */
export class ArgumentValidation implements HandlerCustomizer {
  customize(handler: HandlerUnderConstruction): void {
    const { inputSchema } = handler;
    handler.intercept('validation', async (execution, next) => {
      const parsed = await inputSchema.parse(execution.arguments);
      if (!parsed.ok) throw new InvalidArgumentsError(parsed.issues);
      currentPass().pass.args = parsed.value;
      return next();
    });
  }
}
