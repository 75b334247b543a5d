import type { CanActivate, ExecutionContext, NestInterceptor, PipeTransform } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { ContextType } from '../../dispatch/exchange.js';
import type { HandlerHost } from './handler-host.js';

/** Gathers the enhancers of one kind: the global ones, those of the class, those of the method. */
interface EnhancersCreator<T> {
  create(instance: object, callback: unknown, moduleKey: string, contextId?: unknown, inquirerId?: string): T[];
  createConcreteContext(metadata: unknown, contextId?: unknown, inquirerId?: string): T[];
}

/** Asks guards. */
export interface GuardsConsumer {
  createContext(args: unknown[], instance: object, callback: unknown): ExecutionContext & { setType(type: string): void };
  pickResult(result: unknown): Promise<boolean>;
}

/** The parts of Nest's creator of contexts, which has no public type. */
interface CreatorParts {
  readonly guardsContextCreator: EnhancersCreator<CanActivate>;
  readonly interceptorsContextCreator: EnhancersCreator<NestInterceptor>;
  readonly pipesContextCreator: EnhancersCreator<PipeTransform>;
  readonly guardsConsumer: GuardsConsumer;
}

/** The names of those parts. A test holds them to the installed Nest. */
export const CREATOR_PARTS = ['guardsContextCreator', 'interceptorsContextCreator', 'pipesContextCreator', 'guardsConsumer'] as const;

/** Everything this package uses of Nest beyond its public API is in this file. @throws Error when the installed Nest has none of it */
export function partsOf(creator: ExternalContextCreator): CreatorParts {
  const parts = creator as unknown as CreatorParts;
  const missing = CREATOR_PARTS.filter((name) => typeof parts[name] !== 'object');
  if (missing.length === 0) return parts;
  throw new Error(`This version of @nestjs/core is not supported: ExternalContextCreator has no ${missing.join(', ')}`);
}

/** The same creator with other parts in place of its own. */
export function withParts(creator: ExternalContextCreator, parts: Readonly<Record<string, unknown>>): ExternalContextCreator {
  const descriptors = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, { value }]));
  return Object.create(creator, descriptors) as ExternalContextCreator;
}

/** Looks up a host's enhancers in the module of the host. By itself Nest finds that for providers alone. */
export function inModule(creator: ExternalContextCreator, moduleKey: string): ExternalContextCreator {
  return withParts(creator, { getHostModuleKey: () => moduleKey, getContextModuleKey: () => moduleKey });
}

/** A method on the one instance that serves every call. */
export interface FixedMethod {
  readonly host: HandlerHost;
  readonly method: (...args: unknown[]) => unknown;
}

/** The enhancers around a method of a host whose whole tree is static, as Nest finds them. */
export interface FixedEnhancers {
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  /** The pipes that every parameter passes first. */
  readonly pipes: readonly PipeTransform[];
  /** The pipes of one parameter. */
  paramPipes(pipes: readonly unknown[]): readonly PipeTransform[];
}

/** Finds the enhancers around a method once, at boot. */
export function fixedEnhancers(creator: ExternalContextCreator, { host, method }: FixedMethod): FixedEnhancers {
  const { guardsContextCreator, interceptorsContextCreator, pipesContextCreator } = partsOf(creator);
  const instance = host.fixed;
  const inquirer = inquirerOf(host);
  const of = <T>(enhancers: EnhancersCreator<T>): T[] => enhancers.create(instance, method, host.moduleKey, undefined, inquirer);
  const pipes = of(pipesContextCreator);
  return {
    guards: of(guardsContextCreator),
    interceptors: of(interceptorsContextCreator),
    pipes,
    paramPipes: (own) => pipesContextCreator.createConcreteContext(own, undefined, inquirer),
  };
}

/** Nest makes transient enhancers once for each static entry provider, and keeps them by its id. */
function inquirerOf({ wrapper, fixed }: HandlerHost): string | undefined {
  const classRef = fixed.constructor;
  return wrapper.host?.entryProviders.find((item) => item.token === classRef || item.instance === fixed)?.id;
}

/** A called method as enhancers see it. */
export interface SeenCall {
  readonly args: unknown[];
  readonly instance: object;
  readonly method: (...args: unknown[]) => unknown;
  readonly type: ContextType;
}

/** The context that guards, interceptors and parameter decorators get. */
export function executionContext({ args, instance, method, type }: SeenCall): ExecutionContext {
  const context = new ExecutionContextHost(args, instance.constructor as never, method);
  context.setType(type);
  return context;
}
