import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** One document: its path from the root, and its text. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** A block of code in a document. */
export interface Fence {
  readonly document: string;
  readonly line: number;
  readonly language: string;
  /** `file=path#region` of its info string, without `file=`. */
  readonly source: string | undefined;
  readonly code: string;
}

/** Every document of the repository that people read. */
export async function documents(): Promise<Document[]> {
  const packages = await readdir(join(ROOT, 'packages'));
  const fixed = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...packages.map((name) => `packages/${name}/README.md`)];
  const found = await filesUnder('docs', '.md');
  const read = [...fixed, ...found].map((path) =>
    readFile(join(ROOT, path), 'utf8').then(
      (text) => [{ path, text }],
      () => [],
    ),
  );
  return (await Promise.all(read)).flat();
}

/** The files under a folder that end in `extension`, by their paths from the root. */
export async function filesUnder(folder: string, extension: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(extension));
  return files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name))).toSorted();
}

/** The blocks of code of a document, without those inside of comments. */
export function fencesOf({ path, text }: Document): Fence[] {
  const fences: Fence[] = [];
  let open: { line: number; info: string; code: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.startsWith('```')) {
      open?.code.push(line);
      continue;
    }
    if (!open) {
      open = { line: index + 1, info: line.slice(3).trim(), code: [] };
      continue;
    }
    const [language = '', ...words] = open.info.split(' ');
    const source = words.find((word) => word.startsWith('file='))?.slice('file='.length);
    fences.push({ document: path, line: open.line, language, source, code: open.code.join('\n') });
    open = undefined;
  }
  return fences;
}

/** The regions of a source file by name: what stands between `// #region name` and `// #endregion name`. */
export function regionsOf(source: string): Map<string, string> {
  const regions = new Map<string, string>();
  for (const [, name = '', code = ''] of source.matchAll(/^\/\/ #region (\S+)\n(.*?)^\/\/ #endregion \1$/gms)) {
    regions.set(name, code.trimEnd());
  }
  return regions;
}

/** What is wrong with a block of TypeScript, or undefined: it must name a region of a file and be equal to it. */
export function faultOf(fence: Fence, files: ReadonlyMap<string, ReadonlyMap<string, string>>): string | undefined {
  const where = `${fence.document}:${fence.line}`;
  if (fence.source === undefined) return `${where} names no file: write \`\`\`ts file=docs/guides/code/….ts#region`;
  const [path = '', region = ''] = fence.source.split('#');
  const code = files.get(path)?.get(region);
  if (code === undefined) return `${where} names ${fence.source}, which does not exist`;
  return code === fence.code ? undefined : `${where} differs from ${fence.source}`;
}

/** A link of a document to a file or heading of the repository. */
export interface Link {
  readonly document: string;
  readonly target: string;
  /** The path it leads to, from the root. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The links of a document into the repository; those to the web are left out. */
export function linksOf({ path, text }: Document): Link[] {
  const links = withoutCode(text).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g);
  return [...links].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : relative(ROOT, resolve(ROOT, dirname(path), file));
    return [{ document: path, target, path: to, anchor }];
  });
}

/** The anchors that the headings of a document have on GitHub. */
export function anchorsOf(text: string): Set<string> {
  const headings = withoutCode(text).matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, heading = '']) => anchorOf(heading)));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '');
}
