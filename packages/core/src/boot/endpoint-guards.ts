import { NestKey, setEnhancers } from '../nest/metadata.js';
import { Inject, Module, Scope, type CanActivate, type DynamicModule, type Type } from '@nestjs/common';
import { ModulesContainer, type ModuleRef } from '@nestjs/core';
import { McpDefinitionsError } from '../errors/definition-fault.js';
import type { McpModuleComposition } from '../mcp-module-options.js';

type Guard = CanActivate | Type<CanActivate>;

/** The members that are read of Nest's record of a guard. */
interface GuardWrapper {
  readonly metatype: unknown;
  readonly instance: unknown;
  readonly isInjectable: boolean;
  /** One instance serves every request. */
  readonly isSingle: boolean;
}

/** Nest's key for the options of `@Injectable()`. */
const SCOPE_OPTIONS = 'scope:options';

/**
 * Holds a place for each guard of an endpoint that is given as a class. `overrideGuard` of a testing module only
 * replaces guards that decorate a class of some module, so each endpoint has a class that is decorated with its
 * guards. The placeholder is not a guard and needs nothing: the guard itself comes from the application, whose modules
 * may provide it.
 */
@Module({})
export class McpEndpointGuards {
  /** Takes the places away that no test has filled, before anybody finds one who looks for the guard. */
  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    const own = [...modules.values()].filter(({ metatype }) => metatype === McpEndpointGuards);
    for (const { injectables } of own) {
      for (const [token, { metatype }] of injectables) if (metatype === notReplaced) injectables.delete(token);
    }
  }

  static of(guards: readonly Guard[], imports: McpModuleComposition['imports'] = []): DynamicModule {
    class Guarded {}
    setEnhancers(Guarded, NestKey.Guards, guards.filter(isClass).map(placeFor));
    return { module: McpEndpointGuards, imports: [...imports], providers: [Guarded] };
  }
}

/** A provider that Nest treats as an enhancer, because it is a function, and registers under the guard's class. */
function placeFor(guard: Type<CanActivate>): object {
  return Object.assign(() => undefined, { provide: guard, useFactory: notReplaced });
}

function notReplaced(): undefined {}

/** The endpoint's guards as instances; those given as classes are what a test has put in their place, else taken from the container, or made. */
export async function endpointGuards(guards: readonly Guard[], moduleRef: ModuleRef): Promise<CanActivate[]> {
  const instances: CanActivate[] = [];
  for (const guard of guards) instances.push(isClass(guard) ? await instanceOf(guard, moduleRef) : guard);
  return instances;
}

async function instanceOf(guard: Type<CanActivate>, moduleRef: ModuleRef): Promise<CanActivate> {
  const entered = wrappersOf(guard, moduleRef);
  const replaced = entered.find(({ metatype, isInjectable }) => isInjectable && metatype !== guard);
  if (replaced ? !isSingle(replaced) : isRequestScoped(guard)) throw requestScoped(guard);
  const found = replaced ?? entered.findLast(isSingle);
  return found ? (found.instance as CanActivate) : moduleRef.create(guard);
}

/**
 * Where the application's modules have the guard: as a provider, or as an injectable that decorates a class;
 * `overrideGuard` replaces only the latter.
 */
function wrappersOf(guard: Type<CanActivate>, moduleRef: ModuleRef): GuardWrapper[] {
  const modules = [...moduleRef.get(ModulesContainer, { strict: false }).values()];
  return modules.flatMap(({ providers, injectables }) =>
    [providers, injectables].flatMap((collection) => {
      const wrapper = collection.get(guard);
      if (!wrapper || wrapper.metatype === notReplaced) return [];
      const { metatype, instance } = wrapper;
      return [{ metatype, instance, isInjectable: collection === injectables, isSingle: isStatic(wrapper) }];
    }),
  );
}

function isStatic(wrapper: { isTransient: boolean; isDependencyTreeStatic(): boolean }): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

function isSingle(wrapper: GuardWrapper): boolean {
  return wrapper.isSingle;
}

function isRequestScoped(guard: Type<CanActivate>): boolean {
  const options: { readonly scope?: Scope } | undefined = Reflect.getMetadata(SCOPE_OPTIONS, guard);
  return options?.scope === Scope.REQUEST;
}

function isClass(guard: Guard): guard is Type<CanActivate> {
  return typeof guard === 'function';
}

function requestScoped(guard: Type<CanActivate>): McpDefinitionsError {
  return new McpDefinitionsError([
    {
      where: 'McpModule guards',
      problem: `${guard.name} is request-scoped, but the endpoint's guards are created once`,
      fix: 'Make it a singleton that reads the request from its context, or provide it as an APP_GUARD.',
    },
  ]);
}
