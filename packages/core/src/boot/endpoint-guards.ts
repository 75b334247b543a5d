import { NestKey, setEnhancers } from '../nest/metadata.js';
import { Inject, Injectable, Module, Scope, type CanActivate, type DynamicModule, type Type } from '@nestjs/common';
import { ApplicationConfig, ModuleRef, ModulesContainer } from '@nestjs/core';
import { McpDefinitionsError } from '../errors/definition-fault.js';
import { AnonymousPrincipalSource, McpPrincipalSource } from '../envelope/principal.js';
import { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
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

/** The guards that every handler of an endpoint has before it. */
export interface GuardsInForce {
  /** The endpoint's own. */
  readonly own: readonly CanActivate[];
  /** The application's global ones and the endpoint's: those that are made once. */
  readonly everywhere: readonly CanActivate[];
  /** The application's global ones that are made for each request. */
  readonly perRequest: ReturnType<ApplicationConfig['getGlobalRequestGuards']>;
  /** Whether something checks who is calling, or the deployment says that nobody need be checked. */
  readonly isProtected: boolean;
}

/** Finds the guards of an endpoint, once every provider that they may be has been made. */
@Injectable()
export class GuardFinder {
  constructor(
    @Inject(ResolvedMcpOptions) private readonly options: ResolvedMcpOptions,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(McpPrincipalSource) private readonly source: McpPrincipalSource,
  ) {}

  /** @throws McpDefinitionsError for a guard of the endpoint that is made for each request */
  async inForce(): Promise<GuardsInForce> {
    const own: CanActivate[] = [];
    for (const guard of this.options.guards) own.push(isClass(guard) ? await instanceOf(guard, this.moduleRef) : guard);
    const everywhere = [...this.config.getGlobalGuards(), ...own];
    const perRequest = this.config.getGlobalRequestGuards();
    const knowsCallers = !(this.source instanceof AnonymousPrincipalSource);
    const isProtected = this.options.exposed !== undefined || everywhere.length + perRequest.length > 0 || knowsCallers;
    return { own, everywhere, perRequest, isProtected };
  }
}

/** A guard that is given as a class: what a test has put in its place, else that of the container, or a new one. */
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
