import { McpArgs, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import {
  Body,
  ConflictException,
  Controller,
  Injectable,
  Post,
  UsePipes,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { IsInt, IsString, Min, MinLength } from 'class-validator';

class Args {
  @IsString({ groups: ['create'] }) @MinLength(2, { groups: ['create'] }) name!: string;
  @IsInt({ groups: ['update'] }) @Min(1, { groups: ['update'] }) id!: number;
}
class Plain {
  @IsString() name!: string;
  @IsInt() count!: number;
}

let seen: unknown;
const record = (value: unknown): string => {
  seen = value;
  return 'ok';
};

/** The same DTO behind the same pipe on a route and on a tool. */
function both(options: ValidationPipeOptions, dto: new () => object): { Tools: new () => object; Routes: new () => object } {
  const pipe = new ValidationPipe({ transform: true, ...options });
  class Tools {
    run(args: object): string {
      return record(args);
    }
  }
  class Routes {
    run(args: object): string {
      return record(args);
    }
  }
  const types = [dto];
  for (const host of [Tools, Routes]) {
    const method = Object.getOwnPropertyDescriptor(host.prototype, 'run')!;
    Reflect.defineMetadata('design:paramtypes', types, host.prototype, 'run');
    UsePipes(pipe)(host.prototype, 'run', method);
  }
  McpArgs()(Tools.prototype, 'run', 0);
  McpTool({ description: 'x' })(Tools.prototype, 'run', Object.getOwnPropertyDescriptor(Tools.prototype, 'run')!);
  Body()(Routes.prototype, 'run', 0);
  Post('run')(Routes.prototype, 'run', Object.getOwnPropertyDescriptor(Routes.prototype, 'run')!);
  Injectable()(Tools);
  Controller()(Routes);
  return { Tools, Routes };
}

let testing: McpTestingApp | undefined;
afterEach(() => testing?.close());

describe("A-1: a pipe's options mean on a handler what they mean on a route", () => {
  it.each<[string, ValidationPipeOptions, new () => object, object]>([
    ['whitelist', { whitelist: true }, Plain, { name: 'a', count: 1, extra: 1 }],
    ['forbidNonWhitelisted', { whitelist: true, forbidNonWhitelisted: true }, Plain, { name: 'a', count: 1, extra: 1 }],
    ['no whitelist', {}, Plain, { name: 'a', count: 1, extra: 1 }],
    ['groups, of which the other is broken', { groups: ['create'] }, Args, { name: 'ab', id: 'x' }],
    ['groups, of which the own is broken', { groups: ['create'] }, Args, { name: 'a', id: 1 }],
    ['no groups', {}, Args, { name: 'a', id: 1 }],
    ['skipMissingProperties', { skipMissingProperties: true }, Plain, { name: 'a' }],
    ['skipMissingProperties, with a wrong one', { skipMissingProperties: true }, Plain, { name: 5 }],
    ['enableImplicitConversion', { transformOptions: { enableImplicitConversion: true } }, Plain, { name: 5, count: '2' }],
    ['stopAtFirstError', { stopAtFirstError: true }, Args, { name: '', id: 1 }],
    ['exceptionFactory', { exceptionFactory: () => new ConflictException('mine') }, Args, { name: 'a', id: 1 }],
  ])('%s', async (_title, ...[options, dto, body]) => {
    const { Tools, Routes } = both(options, dto);
    testing = await createMcpTestingApp({ providers: [Tools], controllers: [Routes] });
    seen = undefined;
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(new URL('/run', testing.url), { method: 'POST', headers, body: JSON.stringify(body) });
    const onRoute = seen;
    seen = undefined;
    const { result } = await testing.client().callTool('run', body as never);
    expect({ refused: result?.isError === true, seen }).toEqual({ refused: status >= 400, seen: onRoute });
    expect((seen as object | undefined)?.constructor).toBe((onRoute as object | undefined)?.constructor);
  });
});
