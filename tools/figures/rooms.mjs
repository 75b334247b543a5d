// The rooms of a folder (the files and folders that stand directly in it), and the floors: the longest chain of imports from room to room.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const IMPORT = /(?:from|import)\s+'(\.[^']+)'/g;

/** `cycles` names the rooms that import each other, directly or by others. */
export function roomsOf(folder) {
  const rooms = readdirSync(folder);
  const imports = new Map(rooms.map((room) => [room, importsOf(folder, room)]));
  const groups = cyclesOf(imports);
  return { rooms: rooms.length, floors: floorsOf(imports, groups), cycles: groups.filter((group) => group.length > 1) };
}

function importsOf(folder, room) {
  const found = sourcesIn(join(folder, room)).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, target]) =>
      relative(folder, join(dirname(file), target.replace(/\.js$/, '.ts'))),
    ),
  );
  return new Set(
    found
      .filter((path) => !path.startsWith('..'))
      .map((path) => path.split('/')[0])
      .filter((other) => other !== room),
  );
}

function sourcesIn(path) {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name));
}

/** Rooms that reach each other, as groups; a room without a cycle is a group of its own. */
function cyclesOf(imports) {
  const reach = new Map([...imports.keys()].map((room) => [room, reachOf(imports, room)]));
  const groups = [];
  for (const room of imports.keys()) {
    if (groups.some((group) => group.includes(room))) continue;
    groups.push([...imports.keys()].filter((other) => other === room || (reach.get(room).has(other) && reach.get(other).has(room))));
  }
  return groups;
}

function reachOf(imports, start) {
  const seen = new Set();
  const open = [...imports.get(start)];
  while (open.length > 0) {
    const room = open.pop();
    if (seen.has(room)) continue;
    seen.add(room);
    open.push(...(imports.get(room) ?? []));
  }
  return seen;
}

/** Rooms on the longest chain; those of a cycle count as one. */
function floorsOf(imports, groups) {
  const groupOf = (room) => groups.find((group) => group.includes(room));
  const known = new Map();
  const height = (group) => {
    if (known.has(group)) return known.get(group);
    const below = group
      .flatMap((room) => [...imports.get(room)])
      .map(groupOf)
      .filter((other) => other && other !== group);
    const value = 1 + Math.max(0, ...below.map(height));
    known.set(group, value);
    return value;
  };
  return Math.max(0, ...groups.map(height));
}
