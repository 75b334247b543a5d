import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Applications whose guards are CommonJS packages from npm, which Jest cannot load beside Nest's ES modules: they run in a process of their own. */
export interface RealApps {
  /** The endpoint behind an unmodified nest-keycloak-connect. */
  readonly keycloak: string;
  /** The endpoint behind an unmodified throttler that lets five requests pass. */
  readonly throttled: string;
  stop(): Promise<void>;
}

/** Starts the applications and waits until they listen. */
export async function startRealApps(): Promise<RealApps> {
  const main = new URL('./real-apps.main.ts', import.meta.url).pathname;
  const register = new URL('../../../tools/register.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--conditions=@mocapi/source', '--import', register, main], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [string];
  const urls = JSON.parse(line) as Omit<RealApps, 'stop'>;
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { ...urls, stop };
}
