const ZERO = 0x30;
const NINE = 0x39;
const BLOCK = 100;
/** An exponent of three digits, leading zeros or not. A number without one, and with less than 200 digits, is below 1e300. */
const LARGE_EXPONENT = /\d[eE]\+?\d{3}/;

/** Whether JSON text could hold a number beyond a double (`1e400`). Most texts cannot, so their parsed value need not be walked. */
export function mayHoldHugeNumber(text: string): boolean {
  return LARGE_EXPONENT.test(text) || holdsDigits(text);
}

/** Whether a parsed value holds, at any depth, a number that JSON.parse has made an infinity, which JSON can't be made of again. */
export function holdsInfinity(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === Infinity || next === -Infinity) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(next)) open.push(member);
  }
  return false;
}

/** Whether one of the blocks that text is cut into is all digits: each run of 200 digits has such a block, and each block is read once. */
function holdsDigits(text: string): boolean {
  for (let start = 0; start + BLOCK <= text.length; start += BLOCK) {
    let at = start;
    while (at < start + BLOCK && isDigit(text.charCodeAt(at))) at++;
    if (at === start + BLOCK) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
