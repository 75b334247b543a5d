import type { FactoryProvider, InjectionToken, Provider, Type } from '@nestjs/common';
import { McpDefinitionsError } from '../errors/definition-fault.js';
import { unknownOptions } from '../errors/unknown-options.js';

/** Where a module's options come from: one of `useFactory` (with `inject`), `useClass` and `useExisting`. */
export interface AsyncOptionsSource<Options, Factory> {
  readonly inject?: FactoryProvider['inject'];
  // The injected values are whatever the author's tokens stand for.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly useFactory?: (...args: any[]) => Options | Promise<Options>;
  readonly useClass?: Type<Factory>;
  readonly useExisting?: Type<Factory>;
}

const SOURCE_NAMES = { inject: true, useFactory: true, useClass: true, useExisting: true } as const;

/** Whose options they are. */
export interface AsyncOptionsTarget<Options, Factory> {
  /** Under which the options are provided. */
  readonly token: InjectionToken;
  /** The name of the module, for the message. */
  readonly module: string;
  /** Creates the options; implemented by the class of `useClass` or `useExisting`. */
  create(factory: Factory): Options | Promise<Options>;
}

/**
 * The providers that make a module's options, for its `forRootAsync`. A name in `source` that does not exist stops the boot, before the factory is called.
 * @throws TypeError if none of the three ways is given
 */
export function asyncOptionsProviders<Options, Factory>(
  source: AsyncOptionsSource<Options, Factory>,
  target: AsyncOptionsTarget<Options, Factory>,
): Provider[] {
  const { token, module } = target;
  const faults = unknownOptions(source, SOURCE_NAMES).map(({ name, fix }) => ({
    where: `${module}.forRootAsync ${name}`,
    problem: 'this option does not exist here; the options of the module come from the factory',
    fix,
  }));
  if (faults.length > 0) return [{ provide: token, useFactory: () => Promise.reject(new McpDefinitionsError(faults)) }];
  const { inject = [], useFactory, useClass, useExisting } = source;
  if (useFactory) return [{ provide: token, inject, useFactory }];
  const factory = useClass ?? useExisting;
  if (!factory) throw new TypeError(`${module}.forRootAsync() needs one of useFactory, useClass and useExisting`);
  const options = { provide: token, inject: [factory], useFactory: (made: Factory) => target.create(made) };
  return useClass ? [useClass, options] : [options];
}
