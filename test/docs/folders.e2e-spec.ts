import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './markdown.js';

const PACKAGES = ['core', 'tasks', 'tasks-redis', 'testing'];

async function foldersOf(name: string): Promise<string[]> {
  const root = join(ROOT, 'packages', name, 'src');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** The folders named in the first cells under the package's heading. */
async function mapped(name: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/design/folders.md'), 'utf8');
  const section = text.split(`## \`packages/${name}/src\``)[1]!.split('\n## ')[0]!;
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1]!);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, folder]) => folder!));
}

test.each(PACKAGES)('every folder of packages/%s/src stands in the map of folders, and no other', async (name) => {
  expect((await mapped(name)).toSorted()).toEqual((await foldersOf(name)).toSorted());
});
