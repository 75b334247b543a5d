import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anchorsOf, documents, faultOf, fencesOf, filesUnder, linksOf, ROOT, regionsOf, type Fence } from './markdown.js';

const CODE = 'docs/guides/code';

async function codeRegions(): Promise<Map<string, Map<string, string>>> {
  const files = await filesUnder(CODE, '.ts');
  return new Map(await Promise.all(files.map(async (path) => [path, regionsOf(await readFile(join(ROOT, path), 'utf8'))] as const)));
}

async function typescriptFences(): Promise<Fence[]> {
  return (await documents()).flatMap(fencesOf).filter(({ language }) => language === 'ts' || language === 'typescript');
}

describe('the code in the documentation', () => {
  it('is, block by block, the compiled code that it names', async () => {
    const [fences, regions] = await Promise.all([typescriptFences(), codeRegions()]);
    expect(fences.length).toBeGreaterThan(10);
    expect(fences.flatMap((fence) => faultOf(fence, regions) ?? [])).toEqual([]);
  });

  it('shows every region of the compiled code somewhere', async () => {
    const [fences, files] = await Promise.all([typescriptFences(), codeRegions()]);
    const shown = new Set(fences.map(({ source }) => source));
    const regions = [...files].flatMap(([path, found]) => [...found.keys()].map((name) => `${path}#${name}`));
    expect(regions.filter((region) => !shown.has(region))).toEqual([]);
  });

  it('gives each compiled file at least one region', async () => {
    const files = await codeRegions();
    expect([...files].filter(([, regions]) => regions.size === 0).map(([path]) => path)).toEqual([]);
  });

  it('would be found out if a block had no file, an unknown file or other code', () => {
    const files = new Map([['a.ts', new Map([['one', 'const a = 1;']])]]);
    const fence = { document: 'a.md', line: 3, language: 'ts', source: 'a.ts#one', code: 'const a = 1;' };
    expect(faultOf(fence, files)).toBeUndefined();
    expect(faultOf({ ...fence, source: undefined }, files)).toMatch('names no file');
    expect(faultOf({ ...fence, source: 'a.ts#two' }, files)).toMatch('does not exist');
    expect(faultOf({ ...fence, code: 'const a = 2;' }, files)).toMatch('differs');
  });
});

describe('the links in the documentation', () => {
  it('lead to files and headings that exist', async () => {
    const all = await documents();
    const anchors = new Map(all.map(({ path, text }) => [path, anchorsOf(text)]));
    const broken = all.flatMap(linksOf).map(async ({ document, target, path, anchor }) => {
      const exists = await access(join(ROOT, path)).then(
        () => true,
        () => false,
      );
      const reached = exists && (anchor === undefined || (anchors.get(path)?.has(anchor) ?? false));
      return reached ? [] : [`${document}: ${target}`];
    });
    expect((await Promise.all(broken)).flat()).toEqual([]);
  });
});
