/** Bytes as the language and Node hold them: a `Buffer`, a typed array, a `DataView`, or the `ArrayBuffer` that `fetch` gives. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** Tells an author what to do with bytes where JSON is needed. */
export const BYTES_ADVICE = 'send bytes as base64 text, or with image(), audio() or embeddedResource()';

/** Whether the value is bytes. A `Buffer` has a `toJSON`, which makes an array of numbers of it: nobody means that. */
export function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

/** The base64 of bytes, with padding. */
export function base64Of(bytes: Bytes): string {
  const view = ArrayBuffer.isView(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from(bytes);
  return view.toString('base64');
}
