const GLOBALS = new URL('./globals.mjs', import.meta.url).href;

/** Jest's own "@jest/globals" works within Jest's module system alone. */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  return next(specifier, context);
}
