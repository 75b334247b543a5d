import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const BY_THE_CLIENT = /\.monitor\(\)/;

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return names.filter((name) => name.endsWith('.ts') && !/node_modules|dist/.test(name) && name !== import.meta.filename);
}

describe('T-1: tests watch Redis on a socket of their own', () => {
  it("no file asks the client library for a monitor: it breaks when the first commands come in one piece with Redis' OK", async () => {
    const files = (await Promise.all(['packages', 'libs', 'apps', 'test'].map(sourcesIn))).flat();
    expect(files.length).toBeGreaterThan(100);
    const found: string[] = [];
    for (const file of files) if (BY_THE_CLIENT.test(await readFile(file, 'utf8'))) found.push(file.slice(ROOT.length + 1));
    expect(found).toEqual([]);
  });
});
