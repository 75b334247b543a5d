import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');

const APPLICATION = `
  import 'reflect-metadata';
  import { McpArgs, McpModule, McpTool } from '@mocapi/core';
import { ToolRegistry } from '@mocapi/core/extension';
  import { Module } from '@nestjs/common';
  import { NestFactory } from '@nestjs/core';
  import { Expose } from 'class-transformer';
  import { IsString } from 'class-validator';

  class Args {
    @Expose({ name: 'wire_name' }) @IsString() name;
  }
  class Tools {
    @McpTool({ description: 'x' }) run(@McpArgs({ schema: Args }) args) { return args.name; }
  }
  @Module({ imports: [McpModule.forRoot({ name: 'bundled', version: '1' })], providers: [Tools] })
  class AppModule {}

  try {
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    console.log(Object.keys(app.get(ToolRegistry).list()[0].inputSchema.json.properties).join());
    await app.close();
  } catch (error) {
    console.log(error.message);
  }
`;

interface Esbuild {
  build(options: object): Promise<unknown>;
  stop(): Promise<void>;
}

const esbuild = createRequire(import.meta.url)('esbuild') as Esbuild;

const OUTSIDE = ['@nestjs/*', '@modelcontextprotocol/*', 'rxjs', 'reflect-metadata', 'ajv*', 'canonicalize'];

/** What the application prints when it is one file, away from the packages that it was made of. */
async function printed(folder: string, external: readonly string[]): Promise<string> {
  const outfile = join(folder, 'app.mjs');
  await esbuild.build({
    stdin: { contents: APPLICATION, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    conditions: ['@mocapi/source'],
    external,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const ended = promisify(execFile)(process.execPath, [outfile], { cwd: folder });
  return ended.then(
    ({ stdout }) => stdout.trim(),
    (error: { stderr: string }) => error.stderr,
  );
}

describe('A-14: a bundle never reads the decorators of a DTO wrongly in silence', () => {
  let inside: string;
  let outside: string;
  beforeAll(async () => {
    const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'mocapi-full-bundle-'))));
    try {
      const bundles = [OUTSIDE, [...OUTSIDE, 'class-*']];
      [inside, outside] = (await Promise.all(bundles.map((external, index) => printed(folders[index]!, external)))) as [string, string];
    } finally {
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
      await esbuild.stop();
    }
  }, 30_000);

  it('with class-transformer inside, of which the bundle has two copies, the boot says what to leave out', () => {
    expect(inside).toContain('the application uses another copy of class-transformer than @mocapi/core');
    expect(inside).toContain('Leave class-transformer, class-validator and @mocapi/core out of the bundle');
  });

  it('with class-transformer outside, the schema has the names that clients write', () => {
    expect(outside).toBe('wire_name');
  });
});
