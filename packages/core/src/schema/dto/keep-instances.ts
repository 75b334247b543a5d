import { isPlainData } from './clone-instances.js';

/**
 * Runs `serialise` on the author's own instances, and takes back what it has written into them. For classes whose copies do not work: a copy has none of
 * the private fields (`#name`) that a getter reads.
 */
export function keepingInstances<T>(value: unknown, serialise: () => T): T {
  const before = new Map<object, PropertyDescriptorMap>();
  note(value, before);
  try {
    return serialise();
  } finally {
    for (const [instance, properties] of before) restore(instance, properties);
  }
}

function note(value: unknown, before: Map<object, PropertyDescriptorMap>): void {
  if (typeof value !== 'object' || value === null || !isPlainData(value) || before.has(value)) return;
  const properties: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(value);
  before.set(value, properties);
  for (const property of Object.values(properties)) note(property.value, before);
}

function restore(instance: object, properties: PropertyDescriptorMap): void {
  for (const key of Object.keys(instance)) {
    const former = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    if (former === undefined) Reflect.deleteProperty(instance, key);
    else if ('value' in former && former.value !== (instance as Record<string, unknown>)[key]) Object.defineProperty(instance, key, former);
  }
}
