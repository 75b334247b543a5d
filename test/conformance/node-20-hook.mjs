// The suite imports `globSync` from `fs`, which is there from Node 22, for a command that nobody runs here. On an older Node it gets
// another function of that module under the name, in memory: the installed file stays as it is.
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes('/@modelcontextprotocol/conformance/dist/') || loaded.source === undefined) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/\bglobSync as /, 'readdirSync as ') };
}
