import { stripVTControlCharacters } from 'node:util';

/**
 * Reads a Jest report into rows.
 * @returns {Map<string, { title: string, file: string, passed: number, failed: string[], broken: string | undefined }>} by row id;
 *   `failed` holds the first line of each failure, `broken` says why the file could not run at all
 */
export function rowsOf(report, root) {
  const rows = new Map();
  for (const { name, assertionResults, message } of report.testResults) {
    const file = name.slice(root.length + 1);
    if (assertionResults.length === 0) rows.set(idOf(file), { title: '', file, passed: 0, failed: [], broken: firstLine(message) });
    for (const result of assertionResults) {
      const title = result.ancestorTitles[0] ?? result.title;
      const id = /^([A-Z]-?\w*(?:-\d+)?\w*)(?=[ :,])/.exec(title)?.[1] ?? idOf(file);
      const row = rows.get(`${id} ${file}`) ?? { id, title, file, passed: 0, failed: [], broken: undefined };
      if (result.status === 'passed') row.passed += 1;
      if (result.status === 'failed') row.failed.push(`${result.title}: ${firstLine(result.failureMessages[0] ?? '')}`);
      rows.set(`${id} ${file}`, row);
    }
  }
  return rows;
}

/** Compares two runs of the same tests. `proven`: every row failed before, by an assertion, and passes now. */
export function tableOf(before, now) {
  const lines = [];
  let proven = true;
  for (const [key, row] of [...now].toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))) {
    const old = before.get(key);
    const verdict = verdictOf(old, row);
    if (verdict !== 'red before, green now') proven = false;
    lines.push(`${verdict.padEnd(24)} ${row.title || row.file}`, `    ${row.file}: ${row.passed} passed, ${row.failed.length} failed now`);
    lines.push(...(old?.failed ?? []).slice(0, 3).map((failure) => `    before: ${failure}`));
    if (old?.broken) lines.push(`    before: did not run: ${old.broken}`);
    lines.push(...row.failed.map((failure) => `    now: ${failure}`));
  }
  const proofs = [...now].filter(([key, row]) => verdictOf(before.get(key), row) === 'red before, green now').length;
  lines.push(`${proofs} of ${now.size} rows were red before and are green now`);
  return { text: lines.join('\n'), proven };
}

function verdictOf(old, row) {
  if (row.broken || row.failed.length > 0) return 'RED NOW';
  if (!old || old.broken) return 'DID NOT RUN BEFORE';
  return old.failed.length > 0 ? 'red before, green now' : 'GREEN BEFORE';
}

function idOf(file) {
  return /([A-Z]-\d+\w*)/.exec(file)?.[1] ?? file;
}

function firstLine(message) {
  // Jest colours its messages.
  const plain = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim());
  return plain
    .filter((line) => line !== '')
    .slice(0, 3)
    .join(' | ')
    .slice(0, 240);
}
