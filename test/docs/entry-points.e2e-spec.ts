import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './markdown.js';

const ENTRIES = [
  ['@mocapi/core', 'index'],
  ['@mocapi/core/extension', 'extension'],
  ['@mocapi/core/internal', 'internal'],
] as const;

/** The names that an entry point exports, types included. */
async function exported(file: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'packages/core/src', `${file}.ts`), 'utf8');
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) => list!.split(','));
  return lists.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '');
}

async function documented(entry: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/reference/entry-points.md'), 'utf8');
  const section = text.split(`## \`${entry}\`\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/`([A-Za-z_]+)`/g)].map(([, name]) => name!);
}

test.each(ENTRIES)('%s exports the names that its list has, and no other', async (entry, file) => {
  expect((await exported(file)).toSorted()).toEqual((await documented(entry)).toSorted());
});

test('no name stands in two entry points', async () => {
  const names = (await Promise.all(ENTRIES.map(([, file]) => exported(file)))).flat();
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('each entry point loads, and has the values that its list says', async () => {
  const modules = [await import('@mocapi/core'), await import('@mocapi/core/extension'), await import('@mocapi/core/internal')];
  for (const [index, [entry]] of ENTRIES.entries()) {
    const names = await documented(entry);
    expect(Object.keys(modules[index]!).filter((name) => !names.includes(name))).toEqual([]);
  }
});
