const BLOBS = new Set(['$', '=', '!']);
/** How many frames there are for each of the number that an aggregate announces. */
const MEMBERS = new Map([
  ['*', 1],
  ['~', 1],
  ['>', 1],
  ['%', 2],
]);

/** Cuts a stream of RESP 2 or 3 into whole frames: requests in the one direction, replies and pushes in the other. */
export class RespFrames {
  private rest: Buffer = Buffer.alloc(0);

  /** The frames that `chunk` completes, in order. */
  take(chunk: Buffer): Buffer[] {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const frames: Buffer[] = [];
    let start = 0;
    for (let end = frameEnd(bytes, start); end !== undefined; end = frameEnd(bytes, start)) {
      frames.push(bytes.subarray(start, end));
      start = end;
    }
    this.rest = bytes.subarray(start);
    return frames;
  }
}

/** Where the frame that begins at `start` ends; undefined while it is not all there. */
function frameEnd(bytes: Buffer, start: number): number | undefined {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd === -1) return undefined;
  const type = String.fromCharCode(bytes[start]!);
  const bodyStart = lineEnd + 2;
  const count = Number(bytes.toString('latin1', start + 1, lineEnd));
  if (BLOBS.has(type)) return blobEnd(bytes, bodyStart, count);
  let end: number | undefined = bodyStart;
  for (let left = count * (MEMBERS.get(type) ?? 0); left > 0 && end !== undefined; left--) end = frameEnd(bytes, end);
  return end;
}

function blobEnd(bytes: Buffer, bodyStart: number, length: number): number | undefined {
  if (length < 0) return bodyStart;
  const end = bodyStart + length + 2;
  return end <= bytes.length ? end : undefined;
}
