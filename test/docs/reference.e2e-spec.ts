import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as core from '@mocapi/core';
import * as extension from '@mocapi/core/extension';
import * as internal from '@mocapi/core/internal';
import * as tasks from '@mocapi/tasks';
import * as tasksRedis from '@mocapi/tasks-redis';
import ts from 'typescript';
import { filesUnder, ROOT } from './markdown.js';

const { ErrorCode } = core;

/** Those that people who write servers use. */
const PACKAGES = ['core', 'tasks', 'tasks-redis'];

/** The rows of the first table under a heading: the first cell's code, and all cells. */
interface Row {
  readonly key: string;
  readonly cells: readonly string[];
}

async function sections(path: string): Promise<Map<string, Row[]>> {
  const text = await readFile(join(ROOT, path), 'utf8');
  const [, ...parts] = text.split(/^## /m);
  return new Map(parts.map((part) => [part.split('\n', 1)[0]!.replaceAll('`', ''), rowsOf(part)]));
}

function rowsOf(section: string): Row[] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return { key: cells[0]!.replaceAll('`', ''), cells };
  });
}

interface Interface {
  readonly name: string;
  readonly keys: readonly string[];
  /** What `@default` says, by key. */
  readonly defaults: ReadonlyMap<string, string>;
}

/** The interfaces that say what users may pass: by name `…Options`, `…Limits` and `…Composition`. */
async function optionInterfaces(): Promise<Interface[]> {
  const paths = (await Promise.all(PACKAGES.map((name) => filesUnder(`packages/${name}/src`, '.ts')))).flat();
  const sources = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })));
  const all = sources.flatMap(({ path, text }) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    return file.statements.filter(ts.isInterfaceDeclaration);
  });
  const shared = all.find(({ name }) => name.text === SHARED_SOURCE)!;
  return all.filter(isOptions).map((declaration) => withShared(readInterface(declaration), { declaration, shared }));
}

/** What every `forRootAsync` takes is declared once, and told in the table of each. */
const SHARED_SOURCE = 'AsyncOptionsSource';

function withShared(
  options: Interface,
  { declaration, shared }: { declaration: ts.InterfaceDeclaration; shared: ts.InterfaceDeclaration },
): Interface {
  const inherits = declaration.heritageClauses?.some((clause) =>
    clause.types.some(({ expression }) => expression.getText() === SHARED_SOURCE),
  );
  return inherits ? { ...options, keys: [...options.keys, ...readInterface(shared).keys] } : options;
}

const exported = exportedTypes();

function isOptions({ name }: ts.InterfaceDeclaration): boolean {
  return /(Options|Limits|Composition)$/.test(name.text) && exported.has(name.text) && !NOT_FOR_A_TABLE.has(name.text);
}

/** What a call takes, told where the call is described. */
const NOT_FOR_A_TABLE = new Set(['ElicitOptions', 'ElicitUrlOptions', 'McpErrorOptions', 'McpToolErrorOptions']);

function readInterface({ name, members }: ts.InterfaceDeclaration): Interface {
  const properties = members.filter(ts.isPropertySignature);
  const defaults = properties.flatMap((property) => {
    const tag = ts.getJSDocTags(property).find(({ tagName }) => tagName.text === 'default');
    const text = ts.getTextOfJSDocComment(tag?.comment);
    return text === undefined ? [] : ([[property.name.getText(), text]] as const);
  });
  return { name: name.text, keys: properties.map((property) => property.name.getText()), defaults: new Map(defaults) };
}

/** The names that people who write servers and extensions import, types included. */
function exportedTypes(): Set<string> {
  const roots = [...PACKAGES.map((name) => `${name}/src/index.ts`), 'core/src/extension.ts'].map((path) => join(ROOT, 'packages', path));
  return new Set(
    roots.flatMap((root) => {
      const file = ts.createSourceFile(root, ts.sys.readFile(root)!, ts.ScriptTarget.Latest, true);
      const clauses = file.statements.filter(ts.isExportDeclaration).map(({ exportClause }) => exportClause);
      return clauses.flatMap((clause) => (clause && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []));
    }),
  );
}

describe('the reference of options', () => {
  let interfaces: readonly Interface[];
  // Every source is parsed, once.
  beforeAll(async () => void (interfaces = await optionInterfaces()), 30_000);

  it('has a table for each kind of options, and no other', async () => {
    const names = interfaces.map(({ name }) => name);
    expect(new Set((await sections('docs/reference/options.md')).keys())).toEqual(new Set(names));
  });

  it('has every option of the code, in its order, and no other', async () => {
    const documented = await sections('docs/reference/options.md');
    const told = [...documented].map(([name, rows]) => [name, rows.map(({ key }) => key)]);
    const written = interfaces.map(({ name, keys }) => [name, keys]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(written));
  });

  it('tells the defaults that the code tells as literals', async () => {
    const documented = await sections('docs/reference/options.md');
    const differing = interfaces.flatMap(({ name, defaults }) =>
      [...defaults].flatMap(([key, text]) => {
        const literal = /^('[^']*'|\d+|true|false)$/.exec(text)?.[1]?.replaceAll("'", '');
        const cell = documented.get(name)?.find((row) => row.key === key)?.cells[2] ?? '';
        return literal === undefined || cell.replaceAll(/[`']/g, '') === literal ? [] : [`${name}.${key}: "${cell}" instead of ${literal}`];
      }),
    );
    expect(differing).toEqual([]);
  });
});

describe('the reference of errors', () => {
  it('has every code with its number, and no other', async () => {
    const rows = (await sections('docs/reference/errors.md')).get('Codes')!;
    expect(Object.fromEntries(rows.map(({ key, cells }) => [key, Number(cells[1])]))).toEqual(ErrorCode);
  });

  it('tells the HTTP status that each code has', async () => {
    const rows = (await sections('docs/reference/errors.md')).get('Codes')!;
    const told = Object.fromEntries(rows.map(({ key, cells }) => [key, Number(/\d{3}/.exec(cells[2]!)?.[0])]));
    const text = await readFile(join(ROOT, 'packages/core/src/errors/error-to-json-rpc.ts'), 'utf8');
    const [bad = '', notFound = ''] = text.split(/return \d+;/);
    for (const name of bad.matchAll(/ErrorCode\.(\w+):/g)) expect([name[1], told[name[1]!]]).toEqual([name[1], 400]);
    for (const name of notFound.matchAll(/ErrorCode\.(\w+):/g)) expect([name[1], told[name[1]!]]).toEqual([name[1], 404]);
  });

  it('has every status with which the HTTP layer refuses, and no other', async () => {
    const text = await readFile(join(ROOT, 'packages/core/src/transport/streamable-http/refusal.ts'), 'utf8');
    const statuses = new Set([...text.matchAll(/: refusal\((\d{3}),/g)].map(([, status]) => status));
    const rows = (await sections('docs/reference/errors.md')).get('The HTTP layer')!;
    expect(new Set(rows.map(({ key }) => key))).toEqual(statuses);
  });

  it('has every error class that the packages export, and no other', async () => {
    const classes = Object.entries({ ...core, ...extension, ...internal, ...tasks, ...tasksRedis }).filter(
      ([, value]) => typeof value === 'function' && value.prototype instanceof Error,
    );
    const rows = (await sections('docs/reference/errors.md')).get('Classes')!;
    const told = rows.flatMap(({ key }) => key.split(',').map((name) => name.trim()));
    expect(new Set(told)).toEqual(new Set(classes.map(([name]) => name)));
  });
});
