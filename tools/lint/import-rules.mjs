/** Turns the tables of .dependency-cruiser.mjs into dependency-cruiser's rules. */

const TABLE = 'See the tables in .dependency-cruiser.mjs.';
const rule = (name, comment, ends) => ({ name, comment, severity: 'error', ...ends });
const words = (row) => row.split(' ').filter((word) => word !== '');
const oneOf = (names) => `(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`;

/**
 * Rules about the whole repository. `doors`: the files of a package through which the official packages come in. `internals`: those that
 * import Nest beyond its public entry points.
 */
export function generalRules({ doors, internals }) {
  const sources = '^packages/[^/]+/src/';
  return [
    rule('no-cycle', 'A cycle, of types included.', { from: {}, to: { circular: true } }),
    rule('no-unresolvable', 'It does not resolve: a typo, or a path that the package does not export.', {
      from: {},
      to: { couldNotResolve: true },
    }),
    rule('official-through-doors', `Only ${doors.join(' and ')} import the official packages. ${TABLE}`, {
      from: { path: sources, pathNot: `${sources}${oneOf(doors)}$` },
      to: { path: '(^|/)node_modules/@modelcontextprotocol/' },
    }),
    rule('nest-internals-through-door', `Only ${internals.join(' and ')} import what is no public entry point of Nest. ${TABLE}`, {
      from: { path: sources, pathNot: `${sources}${oneOf(internals)}$` },
      to: { path: '(^|/)node_modules/@nestjs/[^/]+/(?!index\\.)' },
    }),
    rule('declared-dependencies', "Not among the dependencies and peerDependencies of the package's package.json.", {
      from: { path: sources },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    }),
    rule('packages-stand-alone', 'A package imports nothing from apps, libs, test or tools.', {
      from: { path: sources },
      to: { path: '^(apps|libs|test|tools)/' },
    }),
    byName({ path: '^packages/([^/]+)/' }, '^packages/$1/'),
    byName({ path: '^(apps|libs|test)/' }, '^$'),
  ];
}

/** Rules between packages. `table`: package → the packages it may import. */
export function packageRules(table) {
  const rows = Object.entries(table).map(([name, row]) =>
    rule(`package-${name}`, `${name} may import: ${row || 'no other package'}. ${TABLE}`, {
      from: { path: `^packages/${name}/src/` },
      to: { path: '^packages/', pathNot: `^packages/${oneOf([name, ...words(row)])}/` },
    }),
  );
  return [withoutRow('package', { path: '^packages/[^/]+/src/', pathNot: `^packages/${oneOf(Object.keys(table))}/` }), ...rows];
}

/** Rules between the folders of one package. `table`: folder → what it may import. */
export function folderRules(packageName, table) {
  const src = `^packages/${packageName}/src/`;
  const rows = Object.entries(table).flatMap(([folder, row]) => rowRules({ packageName, src, folder, row }));
  return [withoutRow(`${packageName}-folder`, { path: `${src}[^/]+/`, pathNot: `${src}${oneOf(Object.keys(table))}/` }), ...rows];
}

function rowRules({ packageName, src, folder, row }) {
  const entries = words(row);
  const names = entries.map((entry) => entry.replace('type:', ''));
  const types = names.filter((name) => entries.includes(`type:${name}`));
  const name = `${packageName}-${folder}`;
  const from = { path: `${src}${folder}/` };
  // A name is a folder's or a top-level file's.
  const anyOf = (allowed) => `${src}${oneOf(allowed)}(/|\\.ts$)`;
  const comment = `${folder} may import: ${row || 'no other folder'}. ${TABLE}`;
  const rules = [rule(name, comment, { from, to: { path: src, pathNot: anyOf([folder, ...names]) } })];
  return types.length === 0 ? rules : [...rules, typesOnly(name, from, anyOf(types))];
}

/** Rules for folders that stay free of other modules. `typesOf`: what they may import the types of. */
export function pureRules(rows) {
  return rows.flatMap(({ folders, without, node = true, typesOf = [] }) => {
    const name = `pure-${folders}`;
    const from = { path: `^packages/${folders}/` };
    const rules = [rule(name, `Knows nothing of ${without}.`, { from, to: { path: `(^|/)${without}` } })];
    if (!node) rules.push(rule(name, 'No module of Node itself.', { from, to: { dependencyTypes: ['core'] } }));
    return [...rules, ...typesOf.map((path) => typesOnly(name, from, `^${path}`))];
  });
}

const typesOnly = (name, from, path) =>
  rule(`${name}-types`, 'Only its types: `import type`.', { from, to: { path, dependencyTypesNot: ['type-only'] } });

const withoutRow = (name, from) => rule(`${name}-without-row`, `Give it a row first. ${TABLE}`, { from, to: {} });

const byName = (from, ownFiles) =>
  rule('through-package-root', 'Import another package by its name, not by a path into it.', {
    from,
    to: { path: '^packages/', pathNot: ownFiles, dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
  });
