/** Every name of a set of options. The compiler reports a name that is missing here, and one that does not exist. */
export type OptionNames<T> = { readonly [K in keyof Required<T>]: true };

/** A name that no option has, and the fix. */
export interface UnknownOption {
  readonly name: string;
  readonly fix: string;
}

/** The names in `given` that no option has, because a misspelt option would have no effect. A name whose value is undefined counts as absent. */
export function unknownOptions(given: object | null | undefined, names: Readonly<Record<string, true>>): UnknownOption[] {
  const unknown = Object.entries(given ?? {}).filter(([name, value]) => value !== undefined && !Object.hasOwn(names, name));
  return unknown.map(([name]) => ({ name, fix: fixOf(name, Object.keys(names)) }));
}

function fixOf(name: string, names: readonly string[]): string {
  const [nearest] = names
    .map((known) => ({ known, edits: editsBetween(name.toLowerCase(), known.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits);
  if (nearest && nearest.edits <= Math.max(1, Math.floor(name.length / 5))) return `Did you mean ${nearest.known}?`;
  return `Remove it, or write one of ${names.join(', ')}.`;
}

/** How many letters must be added, removed, replaced, or swapped with their neighbour to make one text of the other. */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const edits = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = last[at - 1]! + (one[row - 1] === other[at - 1] ? 0 : 1);
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      edits.push(Math.min(last[at]! + 1, edits[at - 1]! + 1, replaced, isSwapped ? beforeLast[at - 2]! + 1 : Infinity));
    }
    [beforeLast, last] = [last, edits];
  }
  return last[other.length]!;
}
