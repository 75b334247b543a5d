import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RedisWay } from './redis-way.js';

const IMAGE = 'redis:7-alpine';

/**
 * A container, if a Docker engine answers. testcontainers takes long to load, so the engine is checked first, without
 * it.
 */
export function dockerWay(env: NodeJS.ProcessEnv): RedisWay {
  return {
    name: 'Docker',
    hint: 'start a Docker engine',
    closedBecause: async () => ((await engineAnswers(env)) ? undefined : 'no engine answers'),
    start: async () => {
      const { GenericContainer, Wait } = await import('testcontainers');
      const container = await new GenericContainer(IMAGE)
        .withExposedPorts(6379)
        .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
        .start();
      const url = `redis://${container.getHost()}:${container.getMappedPort(6379)}`;
      return { url, way: 'Docker', stop: async () => void (await container.stop()) };
    },
  };
}

async function engineAnswers(env: NodeJS.ProcessEnv): Promise<boolean> {
  const host = env['DOCKER_HOST'];
  // A host that is named and is no local socket is taken at its word: testcontainers knows how to speak to it.
  if (host && !host.startsWith('unix://')) return true;
  const sockets = host ? [host.slice('unix://'.length)] : engineSockets(env);
  for (const socket of sockets) if (existsSync(socket) && (await pings(socket))) return true;
  return false;
}

/** Where engines listen: the system's, a rootless one's, Docker Desktop's. */
function engineSockets(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'win32') return ['//./pipe/docker_engine'];
  const runtimeDir = env['XDG_RUNTIME_DIR'] ?? `/run/user/${process.getuid?.()}`;
  const home = homedir();
  return [
    '/var/run/docker.sock',
    join(runtimeDir, 'docker.sock'),
    join(home, '.docker/run/docker.sock'),
    join(home, '.docker/desktop/docker.sock'),
  ];
}

function pings(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/_ping', timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(false));
    asked.once('close', () => resolve(false));
    asked.end();
  });
}
