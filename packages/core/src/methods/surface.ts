import { Inject, Injectable } from '@nestjs/common';
import { Registries } from '../discovery/registries.js';
import { ErrorTranslation } from '../errors/error-translation.js';
import { GuardCheck } from '../handlers/run/guard-check.js';
import { HandlerFailure } from '../handlers/failure/handler-failure.js';
import { HandlerVisibility } from '../handlers/visibility/handler-visibility.js';

/** All that the core's methods answer from: the handlers by kind, who sees them, and what runs them. */
@Injectable()
export class Surface {
  readonly tools: Registries['tools'];
  readonly prompts: Registries['prompts'];
  readonly resources: Registries['resources'];
  readonly templates: Registries['templates'];

  constructor(
    @Inject(Registries) readonly registries: Registries,
    @Inject(HandlerVisibility) readonly visibility: HandlerVisibility,
    @Inject(GuardCheck) readonly guards: GuardCheck,
    @Inject(HandlerFailure) readonly failure: HandlerFailure,
    @Inject(ErrorTranslation) readonly translation: ErrorTranslation,
  ) {
    this.tools = registries.tools;
    this.prompts = registries.prompts;
    this.resources = registries.resources;
    this.templates = registries.templates;
  }
}
