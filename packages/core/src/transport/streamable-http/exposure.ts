import { lookup } from 'node:dns';
import { isIP, type Server } from 'node:net';
import { isLoopback } from './allowed-hosts.js';
import { McpDefinitionsError, type DefinitionFault } from '../../errors/definition-fault.js';

/** The paths of unprotected endpoints by the server that they are on. */
const unprotected = new WeakMap<Server, string[]>();

/**
 * Makes the application's server listen only on loopback addresses, because nothing at the endpoint checks who is
 * calling. Another address fails before anything is bound, like an address in use: `app.listen` rejects with an
 * `McpDefinitionsError` that names every such endpoint.
 */
export function refuseExposure(server: Server, path: string): void {
  const paths = unprotected.get(server);
  if (paths) return void paths.push(path);
  const own = [path];
  unprotected.set(server, own);
  const listen = server.listen.bind(server) as (...args: unknown[]) => Server;
  server.listen = (...args: unknown[]): Server => {
    whereFrom(args, (address) => {
      if (address === undefined) listen(...args);
      else server.emit('error', new McpDefinitionsError(own.map((each) => exposed(each, address))));
    });
    return server;
  };
}

/** Calls back with an address that others reach, or undefined when only this machine does; a name that has no address is left to `listen`. */
function whereFrom(args: readonly unknown[], done: (address: string | undefined) => void): void {
  const [first, second] = args;
  const { host, path, fd }: ListenTarget = typeof first === 'object' && first !== null ? first : { host: second };
  if (path !== undefined || fd !== undefined || typeof first === 'string' || host === 'localhost') return done(undefined);
  const name = typeof host === 'string' && host !== '' ? host : '::';
  if (isIP(name) !== 0) return isLoopback(name) ? done(undefined) : process.nextTick(done, name);
  lookup(name, { all: true }, (error, addresses) => {
    done(error ? undefined : addresses.find(({ address }) => !isLoopback(address))?.address);
  });
}

interface ListenTarget {
  readonly host?: unknown;
  readonly path?: unknown;
  readonly fd?: unknown;
}

function exposed(path: string, address: string): DefinitionFault {
  return {
    where: `McpModule at ${path}`,
    problem: `the application would listen on ${address}, which other machines can reach, but nothing checks who is calling`,
    fix:
      'Protect the endpoint: McpModule.forRoot({ guards: [YourGuard] }), an APP_GUARD, or an McpPrincipalSource. ' +
      "To serve this machine only: app.listen(port, '127.0.0.1'). If everybody may call: McpModule.forRoot({ exposed: 'on-purpose' }).",
  };
}
