// How easy the sources are to find one's way in, in figures: `npm run figures`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roadOfCall, roadOfTask } from './figures/roads.mjs';
import { roomsOf } from './figures/rooms.mjs';
import {
  castsPerThousand,
  conditionalSpreads,
  constructorParameters,
  docstrings,
  exportedNames,
  outcomeTypes,
  parsed,
} from './figures/sources.mjs';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = ['core', 'tasks', 'tasks-redis', 'testing'];
// With the figures of commit bfa3c0f, as everywhere below: what this command printed of it.
const HALLS = { handlers: '33, 12, no cycle', transport: '15, 4, cycles: legacy ↔ streamable-http' };
const SHORT = 30;
const MEND = /\bmend(s|ed|ing|able)?\b/gi;

const src = (name) => join(ROOT, 'packages', name, 'src');
const core = parsed(src('core'));
const all = PACKAGES.flatMap((name) => parsed(src(name)));
const rows = [...(await roads()), ...halls(), ...sources(), ...words()];
print(rows);

async function roads() {
  const text = ({ files, functions }) => `${files} files, ${functions} functions`;
  return [
    ['a warm synchronous tools/call enters', '70 files, 195 functions', text(await roadOfCall()), '≤ 45 files, ≤ 120 functions'],
    ['create → question → parked enters', '114 files, 384 functions', text(await roadOfTask()), '≤ 75 files, ≤ 230 functions'],
  ];
}

function halls() {
  return Object.entries(HALLS).map(([hall, before]) => {
    const { rooms, floors, cycles } = roomsOf(join(src('core'), hall));
    const cycle = cycles.length === 0 ? 'no cycle' : `cycles: ${cycles.map((group) => group.join(' ↔ ')).join('; ')}`;
    return [`core/${hall}: rooms, floors`, before, `${rooms}, ${floors}, ${cycle}`, '≤ 8, ≤ 5, no cycle'];
  });
}

function sources() {
  const short = core.filter(({ lines }) => lines <= SHORT).length;
  const outcomes = outcomeTypes(core);
  const entries = core.filter(({ name }) => ['index.ts', 'extension.ts', 'internal.ts'].includes(name));
  return [
    ['outcome types in core', '6', `${outcomes.length}: ${outcomes.join(', ')}`, '2'],
    [`files of core of at most ${SHORT} lines`, '127 of 318', `${short} of ${core.length}`, '≤ 60 of about 250'],
    ['parameters of the constructor of McpBootstrap', '15', String(constructorParameters(core, 'McpBootstrap') ?? 'no such class'), '≤ 7'],
    ['casts per 1,000 lines of core', '16.0', castsPerThousand(core).toFixed(1), '≤ 8'],
    ['conditional spreads in core', '90', String(conditionalSpreads(core)), '≤ 15'],
    [
      'names that core exports',
      'index 222',
      entries.map((file) => `${file.name.replace('.ts', '')} ${exportedNames(file).length}`).join(', '),
      'index about 80, extension about 85',
    ],
  ];
}

function words() {
  const documents = ['README.md', 'CONTRIBUTING.md', ...PACKAGES.map((name) => `packages/${name}/README.md`), ...markdownIn('docs')];
  const texts = [...documents.map((file) => readFileSync(join(ROOT, file), 'utf8')), ...all.map(({ text }) => text)];
  const mends = texts.reduce((sum, text) => sum + (text.match(MEND)?.length ?? 0), 0);
  const { all: total, what } = docstrings(all);
  return [
    ['docstrings that begin with "What"', '14.2 % (309 of 2171)', `${((what / total) * 100).toFixed(1)} % (${what} of ${total})`, '≤ 2 %'],
    ['"mend" in documents and sources', '127', String(mends), '0'],
  ];
}

function markdownIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

function print(lines) {
  const table = [['figure', 'bfa3c0f', 'today', 'to reach'], ...lines];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = table;
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n'));
}
