// What `@Type`, `@Expose`, `@Exclude` and `@Transform` said can be read nowhere else.
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { Expose, TransformationType } from 'class-transformer';
import { DefinitionError } from '../../errors/definition-fault.js';
import type { DtoClass } from '../schema-source.js';

/** Which way a DTO goes: from a client to the author, or back. */
export type Use = 'input' | 'output';

/** Facts from `@Type`. */
export interface TypeFacts {
  readonly target: unknown;
  readonly discriminator?: { readonly property: string; readonly subTypes: readonly { readonly name: string; readonly value: unknown }[] };
}

/** Reads `@Type` of a property; undefined if it has none. */
export function typeFacts(owner: DtoClass, name: string): TypeFacts | undefined {
  const stored = defaultMetadataStorage.findTypeMetadata(owner, name);
  if (stored === undefined) return undefined;
  const target: unknown = stored.typeFunction?.({ newObject: {}, object: {}, property: name });
  return { target, discriminator: stored.options?.discriminator };
}

/** Whether `@Transform` changes the property on this way, or a setter may, or, unless for output, `@Type` converts it to a type of the language. */
export function conversionOf(owner: DtoClass, name: string, use: Use): 'none' | 'type' | 'code' {
  if (defaultMetadataStorage.findTransformMetadatas(owner, name, directionOf(use)).length > 0) return 'code';
  if (use === 'output') return 'none';
  if (accessorOf(owner, name)?.set !== undefined) return 'code';
  const type = defaultMetadataStorage.findTypeMetadata(owner, name);
  return type !== undefined && CONVERTED.has(typeFacts(owner, name)?.target) ? 'type' : 'none';
}

const CONVERTED: ReadonlySet<unknown> = new Set([String, Number, Boolean, Date, Buffer, BigInt]);

/** Whether class-transformer lets the property through on this way. */
export function isExposed(owner: DtoClass, name: string, use: Use): boolean {
  const direction = directionOf(use);
  const exposed = defaultMetadataStorage.getExposedProperties(owner, direction).includes(name);
  // Exposed to groups only: no group is ever asked for here, so class-transformer leaves it out.
  if ((defaultMetadataStorage.findExposeMetadata(owner, name)?.options?.groups ?? []).length > 0) return false;
  if (defaultMetadataStorage.getExcludedProperties(owner, direction).includes(name)) return false;
  if (use === 'input' && isReadOnly(owner, name)) return false;
  return exposed || defaultMetadataStorage.getStrategy(owner) !== 'excludeAll';
}

/** Whether `@Expose` stands on the property: class-transformer then sets it even if it is absent, over the class's own value. */
export function hasExpose(owner: DtoClass, name: string): boolean {
  return defaultMetadataStorage.findExposeMetadata(owner, name) !== undefined;
}

/** The property's name in JSON. */
export function wireName(owner: DtoClass, name: string, use: Use): string {
  const stored = defaultMetadataStorage.findExposeMetadata(owner, name);
  const renames = stored !== undefined && defaultMetadataStorage.getExposedProperties(owner, directionOf(use)).includes(name);
  return renames ? (stored.options?.name ?? name) : name;
}

function directionOf(use: Use): TransformationType {
  return use === 'input' ? TransformationType.PLAIN_TO_CLASS : TransformationType.CLASS_TO_PLAIN;
}

/** A getter without a setter: class-transformer passes over it. */
function isReadOnly(owner: DtoClass, name: string): boolean {
  const accessor = accessorOf(owner, name);
  return accessor?.get !== undefined && accessor.set === undefined;
}

function accessorOf(owner: DtoClass, name: string): PropertyDescriptor | undefined {
  for (let at: unknown = owner.prototype; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

let isShared: boolean | undefined;

/**
 * Makes sure that what class-transformer's decorators store is what is read here. In a bundle they may come from another copy of it, and then
 * `@Type`, `@Expose` and `@Transform` would seem not to be there.
 * @throws DefinitionError
 */
export function assertStorageIsShared(where: string): void {
  isShared ??= isProbeFound();
  if (isShared) return;
  throw new DefinitionError({
    where,
    problem:
      '@Type, @Expose, @Exclude and @Transform cannot be read: the application uses another copy of class-transformer than @mocapi/core, for example from a bundle that includes it.',
    fix: "Leave class-transformer, class-validator and @mocapi/core out of the bundle (esbuild: external; webpack: externals; Nest's CLI leaves them out by default), and install one version of each.",
  });
}

function isProbeFound(): boolean {
  class Probe {}
  Expose()(Probe.prototype, 'probe');
  return hasExpose(Probe, 'probe');
}
