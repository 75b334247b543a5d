import type { FactoryProvider, InjectionToken, Provider, Type } from '@nestjs/common';

/** Where a module's options come from: one of `useFactory` (with `inject`), `useClass` and `useExisting`. */
export interface AsyncOptionsSource<Options, Factory> {
  readonly inject?: FactoryProvider['inject'];
  // The injected values are whatever the author's tokens stand for.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly useFactory?: (...args: any[]) => Options | Promise<Options>;
  readonly useClass?: Type<Factory>;
  readonly useExisting?: Type<Factory>;
}

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
 * The providers that make a module's options, for its `forRootAsync`.
 * @throws TypeError if none of the three ways is given
 */
export function asyncOptionsProviders<Options, Factory>(
  { inject = [], useFactory, useClass, useExisting }: AsyncOptionsSource<Options, Factory>,
  target: AsyncOptionsTarget<Options, Factory>,
): Provider[] {
  const { token, module } = target;
  if (useFactory) return [{ provide: token, inject, useFactory }];
  const factory = useClass ?? useExisting;
  if (!factory) throw new TypeError(`${module}.forRootAsync() needs one of useFactory, useClass and useExisting`);
  const options = { provide: token, inject: [factory], useFactory: (source: Factory) => target.create(source) };
  return useClass ? [useClass, options] : [options];
}
