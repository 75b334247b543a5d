import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';

const PEERS = [
  '@nestjs/core',
  'fastify',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/node',
  '@rekog/mcp-nest',
  'bullmq',
  'ioredis',
  'zod',
];

/** Where and with what a run took place. */
export interface Environment {
  readonly at: string;
  readonly commit: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  /** The load of the last minute, before the run. */
  readonly load: number;
  /** Versions of what is measured beside ours, by package. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Looks around. The commit has a `+` where the work tree differs from it. */
export function environment(): Environment {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    load: loadavg()[0]!,
    versions: Object.fromEntries(PEERS.map((name) => [name, versionOf(name)])),
  };
}

function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

/** Looks upwards from the module's entry, since not every package exports its package.json. */
function versionOf(name: string): string {
  try {
    let folder = dirname(createRequire(import.meta.url).resolve(name));
    while (folder !== dirname(folder)) {
      const found = packageIn(folder);
      if (found?.name === name) return found.version;
      folder = dirname(folder);
    }
  } catch {
    // Not installed, or without an entry that can be resolved.
  }
  return 'unknown';
}

function packageIn(folder: string): { readonly name?: string; readonly version: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string; version: string };
  } catch {
    return undefined;
  }
}
