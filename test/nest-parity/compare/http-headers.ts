/** Headers that depend on the body and on the connection, not on the handler. */
const OF_EVERY_ANSWER = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'cache-control',
  'x-accel-buffering',
]);

/** The headers of an answer that its handler or its enhancers set. */
export function telling(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OF_EVERY_ANSWER.has(name)));
}
