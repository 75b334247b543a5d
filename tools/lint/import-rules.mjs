/** Turns the tables of .dependency-cruiser.mjs into dependency-cruiser's rules. */

const TABLE = 'See the tables in .dependency-cruiser.mjs.';
const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const escape = (text) => text.replaceAll('.', '\\.');
const oneOf = (names) => `(${names.map(escape).join('|')})`;

/** Rules about the whole repository. */
export function generalRules() {
  const official = '^packages/[^/]+/src/protocol/official\\.ts$';
  return [
    error('no-cycle', 'A cycle, of types included.', {}, { circular: true }),
    error('no-unresolvable', 'It does not resolve: a typo, or a path that the package does not export.', {}, { couldNotResolve: true }),
    error(
      'official-in-one-file',
      'Only protocol/official.ts imports the official packages.',
      { path: '^packages/[^/]+/src/', pathNot: official },
      { path: '(^|/)node_modules/@modelcontextprotocol/' },
    ),
    error(
      'declared-dependencies',
      "Not among the dependencies and peerDependencies of the package's package.json.",
      { path: '^packages/[^/]+/src/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    ),
    error(
      'packages-stand-alone',
      'A package imports nothing from apps, libs, test or tools.',
      { path: '^packages/[^/]+/src/' },
      { path: '^(apps|libs|test|tools)/' },
    ),
  ];
}

/** Rules between packages. `table`: package → the packages it may import. */
export function packageRules(table) {
  const byPath = (from, pathNot) =>
    error(
      'through-package-root',
      'Import another package by its name, not by a path into it.',
      { path: from },
      { path: '^packages/', pathNot, dependencyTypes: ['local'] },
    );
  return [
    byPath('^packages/([^/]+)/', '^packages/$1/'),
    byPath('^(apps|libs|test)/', '^$'),
    withoutRow('package-without-row', '^packages/[^/]+/src/', `^packages/${oneOf(Object.keys(table))}/`),
    ...Object.entries(table).map(([name, others]) =>
      error(
        `package-${name}`,
        `${name} may import ${others.join(', ') || 'no other package'}. ${TABLE}`,
        { path: `^packages/${name}/src/` },
        { path: '^packages/', pathNot: `^packages/${oneOf([name, ...others])}/` },
      ),
    ),
  ];
}

/** Rules between the folders of one package. `table`: folder → what it may import. */
export function folderRules(packageName, table) {
  const src = `^packages/${packageName}/src/`;
  const rows = Object.entries(table).flatMap(([folder, entries]) => rowRules({ packageName, src, folder, entries }));
  return [withoutRow(`${packageName}-folder-without-row`, `${src}[^/]+/`, `${src}${oneOf(Object.keys(table))}/`), ...rows];
}

function rowRules({ packageName, src, folder, entries }) {
  const types = entries.filter((entry) => entry.startsWith('type:')).map((entry) => entry.slice('type:'.length));
  const values = entries.filter((entry) => !entry.startsWith('type:'));
  const name = `${packageName}-${folder}`;
  const from = { path: `${src}${escape(folder)}/` };
  const anyOf = (names) => `${src}${oneOf(names)}(/|\\.ts$)`;
  const comment = `${folder} may import ${entries.join(', ') || 'no other folder'}. ${TABLE}`;
  const rules = [error(name, comment, from, { path: src, pathNot: anyOf([folder, ...values, ...types]) })];
  return types.length === 0 ? rules : [...rules, onlyTypes(name, from, anyOf(types))];
}

/** Rules for folders that stay free of other modules. */
export function pureRules(rows) {
  return rows.flatMap(({ folders, without, typesOnly = [] }) => {
    const from = { path: `^packages/${folders}/` };
    const builtins = without.includes('node:')
      ? [error(`pure-${folders}`, 'No module of Node itself.', from, { dependencyTypes: ['core'] })]
      : [];
    const paths = without.filter((entry) => entry !== 'node:').map((path) => `(^|/)${path}`);
    return [
      error(`pure-${folders}`, `Knows nothing of ${without.join(', ')}.`, from, { path: paths }),
      ...builtins,
      ...typesOnly.map((path) => onlyTypes(`pure-${folders}`, from, `^${path}`)),
    ];
  });
}

const onlyTypes = (name, from, path) =>
  error(`${name}-types`, 'Only its types: `import type`.', from, { path, dependencyTypesNot: ['type-only'] });

const withoutRow = (name, path, pathNot) => error(name, `Give it a row first. ${TABLE}`, { path, pathNot }, {});
