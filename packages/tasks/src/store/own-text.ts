/** V8 never keeps a shorter string as a part of a longer one, nor as a rope of several. */
const MAY_BE_A_PART = 13;

const scratch = Buffer.allocUnsafeSlow(1024);

/** The same text, which lets go of the longer one that it was sliced from, and of the pieces that it was put together of. */
export function ownText(text: string): string {
  if (text.length < MAY_BE_A_PART) return text;
  if (text.length > scratch.length || !ASCII.test(text)) return JSON.parse(JSON.stringify(text)) as string;
  return scratch.toString('latin1', 0, scratch.write(text, 'latin1'));
}

const ASCII = /^[\0-\x7F]*$/;
