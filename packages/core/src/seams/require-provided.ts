import { Inject, Optional, type InjectionToken } from '@nestjs/common';
import { ModulesContainer, type ModuleRef } from '@nestjs/core';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';

/**
 * For the constructor of a module that needs another one: a fault that says what to import, instead of Nest's message about a provider that the
 * author never wrote.
 * @param token a provider that the other module has
 * @throws DefinitionError when no module of the application provides it
 */
export function requireProvided(moduleRef: ModuleRef, token: InjectionToken, fault: DefinitionFault): void {
  const modules = moduleRef.get(ModulesContainer, { strict: false });
  if ([...modules.values()].some(({ providers }) => providers.has(token))) return;
  throw new DefinitionError(fault);
}

/**
 * Injects what another module provides; undefined where no module does. For a module that stops the boot itself then: Nest would stop it first, and
 * say less.
 */
export function InjectRequired(token: InjectionToken): ParameterDecorator {
  return (target, key, index) => {
    Inject(token)(target, key, index);
    Optional()(target, key, index);
  };
}
