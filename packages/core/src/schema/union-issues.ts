import type { ErrorObject } from 'ajv/dist/2020.js';

const UNIONS = new Set(['oneOf', 'anyOf']);

/**
 * Settles the errors of a value that fits no branch of a union, which has the errors of every branch. If a tag (a
 * `const`) shows which branch was meant, only that branch's errors are kept. If the tag itself is wrong, the tags are
 * listed. If neither is known, only the union's own error is kept.
 */
export function settleUnions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  // The innermost union is reported first, so that an outer one sees it settled.
  return errors.filter((error) => UNIONS.has(error.keyword)).reduce(settleUnion, errors);
}

function settleUnion(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  if (!errors.includes(union)) return errors;
  const branches = errorsByBranch(errors, union);
  // Branches that are a `$ref` report under their target's path and cannot be told apart.
  if (branches.size === 0) return errors;
  const children = new Set([...branches.values()].flat());
  const kept = chooseErrors([...branches.values()], union);
  return errors.flatMap((error) => (error === union ? kept : children.has(error) ? [] : [error]));
}

function errorsByBranch(errors: readonly ErrorObject[], union: ErrorObject): Map<string, ErrorObject[]> {
  const prefix = `${union.schemaPath}/`;
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    if (!error.schemaPath.startsWith(prefix) || !error.instancePath.startsWith(union.instancePath)) continue;
    const branch = error.schemaPath.slice(prefix.length).split('/', 1)[0]!;
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  return branches;
}

function chooseErrors(branches: ErrorObject[][], union: ErrorObject): ErrorObject[] {
  const plain = bareAlternatives(branches, union);
  if (plain !== undefined) return [plain];
  const meant = branches.filter((branch) => !branch.some((error) => missesTag(error, union)));
  if (meant.length === 1) return meant[0]!;
  const tags = branches.flatMap((branch) => branch.filter((error) => missesTag(error, union)));
  if (meant.length === 0 && new Set(tags.map(tagPath)).size === 1) return [anyOfTheTags(tags, union)];
  return [union];
}

/** The branch doesn't fit the value's kind: its tag is another one or is missing, or the value is of another type. */
function missesTag(error: ErrorObject, union: ErrorObject): boolean {
  if (error.keyword === 'type') return error.instancePath === union.instancePath;
  if (error.keyword === 'required') return error.instancePath === union.instancePath && isTag(error);
  return error.keyword === 'const' && error.instancePath !== union.instancePath;
}

function isTag(error: ErrorObject): boolean {
  const property = requiredTag(error);
  return property !== undefined && Object.hasOwn(property, 'const');
}

function requiredTag(error: ErrorObject): Record<string, unknown> | undefined {
  return error.parentSchema?.['properties']?.[error.params['missingProperty']];
}

function tagPath(error: ErrorObject): string {
  if (error.keyword === 'type') return '';
  return error.keyword === 'required' ? `${error.instancePath}/${error.params['missingProperty']}` : error.instancePath;
}

function anyOfTheTags(tags: ErrorObject[], union: ErrorObject): ErrorObject {
  const first = tags[0]!;
  if (first.keyword === 'type') return union;
  const allowedValues = tags.map((error) => (error.keyword === 'const' ? error.params : (requiredTag(error) ?? {})));
  const values = allowedValues.map((tag) => ('allowedValue' in tag ? tag['allowedValue'] : tag['const']));
  return { ...first, keyword: 'enum', instancePath: tagPath(first), params: { allowedValues: values } };
}

/** Alternatives that differ only in type or format (`string or null`, `date or date-time`) become one message. */
function bareAlternatives(branches: ErrorObject[][], union: ErrorObject): ErrorObject | undefined {
  const firsts = branches.map((branch) => (branch.length === 1 ? branch[0]! : undefined));
  const alike = (keyword: string): boolean =>
    firsts.every((error) => error?.keyword === keyword && error.instancePath === union.instancePath);
  if (alike('type')) {
    return { ...firsts[0]!, params: { type: firsts.flatMap((error) => error!.params['type']) } };
  }
  if (!alike('format')) return undefined;
  return { ...firsts[0]!, params: { format: firsts.map((error) => error!.params['format']).join('" or "') } };
}
