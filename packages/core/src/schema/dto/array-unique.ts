/** Whether `@ArrayUnique` was given a function. It stores that nowhere, but `map`s the array with it before it compares. */
export function comparesByFunction(constraint: Function): boolean {
  let mapped = false;
  const array = Object.assign([], { map: () => ((mapped = true), []) });
  try {
    new (constraint as new () => { validate(value: unknown): unknown })().validate(array);
    return mapped;
  } catch {
    return true;
  }
}
