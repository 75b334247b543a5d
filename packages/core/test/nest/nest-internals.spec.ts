import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createMcpTestingApp } from '@mocapi/testing';
import * as nest from '@nestjs/common/internal';
import { ExternalContextCreator } from '@nestjs/core';
import { CREATOR_PARTS, partsOf } from '../../src/handlers/nest/nest-internals.js';
import { NestKey } from '../../src/nest/metadata.js';

const SOURCES = join(import.meta.dirname, '../../../..', 'packages');

/** Paths of every source file of the packages. */
async function sources(): Promise<string[]> {
  const packages = await readdir(SOURCES);
  const found = await Promise.all(
    packages.map(async (name) => {
      const files = await readdir(join(SOURCES, name, 'src'), { recursive: true });
      return files.filter((file) => file.endsWith('.ts')).map((file) => join(SOURCES, name, 'src', file));
    }),
  );
  return found.flat();
}

describe("the private side of Nest's pipeline", () => {
  it('has in the installed version what is used of it', async () => {
    const testing = await createMcpTestingApp({ providers: [] });
    const parts = partsOf(testing.app.get(ExternalContextCreator, { strict: false }));
    for (const creator of [parts.guardsContextCreator, parts.interceptorsContextCreator, parts.pipesContextCreator]) {
      expect([typeof creator.create, typeof creator.createConcreteContext]).toEqual(['function', 'function']);
    }
    expect([typeof parts.guardsConsumer.createContext, typeof parts.guardsConsumer.pickResult]).toEqual(['function', 'function']);
    await testing.close();
  });

  it('is named by what is missing, where a version has none of it', () => {
    expect(() => partsOf({} as never)).toThrow('not supported: ExternalContextCreator has no guardsContextCreator');
  });

  it('is known to one file', async () => {
    const deep = /from '@nestjs\/(?:core|common)\/(?!internal')/;
    const found: string[] = [];
    for (const file of await sources()) {
      const text = await readFile(file, 'utf8');
      const isPrivate = deep.test(text) || CREATOR_PARTS.some((part) => new RegExp(`as unknown as \\{[^}]*${part}`).test(text));
      if (isPrivate) found.push(file.slice(SOURCES.length + 1));
    }
    expect(found).toEqual(['core/src/handlers/nest/nest-internals.ts']);
  });
});

describe('the metadata keys of Nest', () => {
  it('are those of the installed version', () => {
    expect(NestKey).toEqual({
      Guards: nest.GUARDS_METADATA,
      Interceptors: nest.INTERCEPTORS_METADATA,
      Pipes: nest.PIPES_METADATA,
      Filters: nest.EXCEPTION_FILTERS_METADATA,
      Caught: nest.FILTER_CATCH_EXCEPTIONS,
      RouteArgs: nest.ROUTE_ARGS_METADATA,
      CustomArgs: nest.CUSTOM_ROUTE_ARGS_METADATA,
      EntryProvider: nest.ENTRY_PROVIDER_WATERMARK,
      ParamTypes: nest.PARAMTYPES_METADATA,
    });
  });

  it('are spelled by one file', async () => {
    const found: string[] = [];
    for (const file of await sources()) {
      const text = await readFile(file, 'utf8');
      if (Object.values(NestKey).some((key) => text.includes(`'${key}'`))) found.push(file.slice(SOURCES.length + 1));
    }
    expect(found).toEqual(['core/src/nest/metadata.ts']);
  });
});
