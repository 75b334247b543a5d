import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 300_000;

/** A machine on which packages can be installed. */
export interface InstallHost {
  canInstall(): boolean;
  install(packageName: string): Promise<void>;
}

/** This machine, by apt-get: root on Debian, Ubuntu and their like. */
export function aptHost(): InstallHost {
  return {
    canInstall: () => process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get'),
    install: async (packageName) => {
      await aptGet('update');
      await aptGet('install', '-y', '--no-install-recommends', packageName);
    },
  };
}

async function aptGet(...args: string[]): Promise<void> {
  await run('apt-get', args, { timeout: TIMEOUT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
