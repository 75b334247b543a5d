// What stands in the sources, by the compiler's own syntax tree.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The files of a folder, read and parsed. */
export function parsed(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, lines: text.trimEnd().split('\n').length, tree: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) };
    });
}

/** Casts of each 1,000 lines; `as const` is none. */
export function castsPerThousand(files) {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  return (count(files, isCast) / lines) * 1000;
}

const isCast = (node) =>
  (ts.isAsExpression(node) && !(ts.isTypeReferenceNode(node.type) && node.type.getText() === 'const')) ||
  ts.isTypeAssertionExpression(node);

/** Spreads into an object or a list that add something only on a condition: `...(x === undefined ? {} : { x })`, `...(x && { x })`. */
export function conditionalSpreads(files) {
  return count(files, (node) => {
    if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return false;
    let value = node.expression;
    while (ts.isParenthesizedExpression(value)) value = value.expression;
    if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].some(isEmptyLiteral);
    return ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  });
}

const isEmptyLiteral = (node) =>
  (ts.isObjectLiteralExpression(node) && node.properties.length === 0) || (ts.isArrayLiteralExpression(node) && node.elements.length === 0);

/** Parameters of the constructor of a class; undefined where there is no such class. */
export function constructorParameters(files, className) {
  for (const { tree } of files)
    for (const node of tree.statements)
      if (ts.isClassDeclaration(node) && node.name?.text === className)
        return node.members.find(ts.isConstructorDeclaration)?.parameters.length ?? 0;
  return undefined;
}

/** Types between an author's body and the wire: those that are named an outcome, and the result on the wire. */
export function outcomeTypes(files) {
  const names = files.flatMap(({ tree }) =>
    tree.statements.filter((node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)).map(({ name }) => name.text),
  );
  return names.filter((name) => name === 'McpResult' || name.endsWith('Outcome')).toSorted();
}

/** Names that an entry exports, `export *` left out. */
export function exportedNames(file) {
  return file.tree.statements
    .filter(ts.isExportDeclaration)
    .flatMap(({ exportClause }) =>
      exportClause && ts.isNamedExports(exportClause) ? exportClause.elements.map(({ name }) => name.text) : [],
    );
}

/** Docstrings, and how many of them begin with "What". */
export function docstrings(files) {
  const all = files.flatMap(({ text }) => [...text.matchAll(/\/\*\*\s*\*?\s*([\s\S]*?)\*\//g)].map(([, words]) => words));
  return { all: all.length, what: all.filter((words) => /^What\b/.test(words)).length };
}

function count(files, matches) {
  let found = 0;
  visit(files, (node) => void (found += Number(matches(node))));
  return found;
}

function visit(files, look) {
  const walk = (node) => {
    look(node);
    ts.forEachChild(node, walk);
  };
  for (const { tree } of files) walk(tree);
}
