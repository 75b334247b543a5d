import { DefinitionError, type DefinitionFault } from '../../errors/definition-fault.js';
import type { FastifyInstance } from './fastify.js';

/** Paths of endpoints by app. An endpoint's route is there only once Fastify has booted, which is after every module has. */
const claimed = new WeakMap<FastifyInstance, Set<string>>();

/**
 * Takes `path` for an endpoint of the app.
 * @throws DefinitionError when another endpoint or a route of the app is there
 */
export function claimPath(fastify: FastifyInstance, path: string): void {
  const paths = claimed.get(fastify) ?? new Set();
  if (paths.has(path)) throw new DefinitionError(claimedTwice(path));
  const methods = fastify.supportedMethods.filter((method) => fastify.hasRoute({ method, url: path }));
  if (methods.length > 0) throw new DefinitionError(pathTaken(path, methods.join(', ')));
  claimed.set(fastify, paths.add(path));
}

/** The fault of an endpoint whose path a route of the app has. */
export function pathTaken(path: string, methods: string): DefinitionFault {
  return {
    where: 'McpModule path',
    problem: `the app has its own route at ${path} (${methods}), but the endpoint needs every method there`,
    fix: "Move one of them: McpModule.forRoot({ path: '/another', … }).",
  };
}

function claimedTwice(path: string): DefinitionFault {
  return {
    where: 'McpModule path',
    problem: `another McpModule of the app has its endpoint at ${path}`,
    fix: "Import McpModule once, or give each its own path: McpModule.forRoot({ path: '/another', … }).",
  };
}
