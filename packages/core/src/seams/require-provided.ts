import { Inject, Optional, type InjectionToken } from '@nestjs/common';
import { ModulesContainer, type ModuleRef } from '@nestjs/core';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';

/**
 * Checks, in the constructor of a module, that the module it needs is imported: the fault says what to import, instead
 * of Nest's message about a provider that the author never wrote.
 * @param token a provider of the other module
 * @throws DefinitionError if no module of the application provides it
 */
export function requireProvided(moduleRef: ModuleRef, token: InjectionToken, fault: DefinitionFault): void {
  const modules = moduleRef.get(ModulesContainer, { strict: false });
  if ([...modules.values()].some(({ providers }) => providers.has(token))) return;
  throw new DefinitionError(fault);
}

/**
 * Injects a provider of another module; undefined if no module provides it. For a module that reports the problem
 * itself: Nest would stop the boot first, with a less helpful message.
 */
export function InjectRequired(token: InjectionToken): ParameterDecorator {
  return (target, key, index) => {
    Inject(token)(target, key, index);
    Optional()(target, key, index);
  };
}
