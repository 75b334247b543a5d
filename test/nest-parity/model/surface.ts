import { McpArg, McpArgs, McpContext, McpPrompt, McpResourceTemplate, McpTool, type McpHandlerContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { Body, Controller, Post, type Type } from '@nestjs/common';
import { z } from 'zod';
import { enter, SURFACE } from './journal.js';
import type { Enhancers, Row } from './row.js';
import { textNames } from './text-arguments.js';

/** Whether handlers ask before they end. Each carrier says so before its request. */
export const script = { asks: false };

/** The methods of a surface that take part in the comparison. */
type Method = 'route' | 'tool' | 'task' | 'prompt' | 'template';

/** The handlers of a row: one route and every kind of handler of MCP, all with the same enhancers. */
export interface Surface {
  readonly row: Row;
  /** Also the name of its tool and prompt, and the path of its route. */
  readonly id: string;
  readonly controller: Type;
}

/** Builds the handlers of a row. @param id must be unique in the application */
export function makeSurface(row: Row, id: string): Surface {
  const controller = classNamed(id, row);
  const proto = controller.prototype as object;
  const mark = (method: Method, ...decorators: MethodDecorator[]): void => marked({ proto, method, row }, decorators);
  mark('route', Post(id));
  mark('tool', McpTool({ name: id, description: row.name }));
  mark('task', McpTool({ name: `${id}.task`, description: row.name }), McpTask());
  const names = textNames(row);
  if (names.length > 0) {
    mark('prompt', McpPrompt({ name: id }));
    mark('template', McpResourceTemplate({ name: id, uriTemplate: `parity://${id}{?${names.join(',')}}` }));
  }
  for (const decorate of row.enhancers?.onClass ?? []) decorate(controller);
  Controller()(controller);
  return { row, id, controller };
}

/** A class with methods of its own, since Nest keeps what decorators say on the functions. */
function classNamed(id: string, { body }: Row): Type {
  const run = async (value: unknown, ctx?: McpHandlerContext): Promise<unknown> => {
    enter(value);
    if (ctx && script.asks) await ctx.elicit('q', { message: '?', schema: z.object({ a: z.string() }) });
    return body ? body(value) : 'entered';
  };
  const made = {
    [id]: class {
      static readonly [SURFACE] = true;
      route(value: unknown): Promise<unknown> {
        return run(value);
      }
      tool(value: unknown): Promise<unknown> {
        return run(value);
      }
      task(value: unknown, ctx: McpHandlerContext): Promise<unknown> {
        return run(value, ctx);
      }
      prompt(value: unknown): Promise<unknown> {
        return run(value);
      }
      template(value: unknown): Promise<unknown> {
        return run(value);
      }
    },
  };
  return made[id]!;
}

function marked({ proto, method, row }: { proto: object; method: Method; row: Row }, decorators: readonly MethodDecorator[]): void {
  const types = method === 'task' ? [row.type, Object] : [row.type];
  Reflect.defineMetadata('design:paramtypes', types, proto, method);
  parameter(method, row)(proto, method, 0);
  if (method === 'task') McpContext()(proto, method, 1);
  const descriptor = Object.getOwnPropertyDescriptor(proto, method)!;
  for (const decorate of [...decorators, ...(row.enhancers?.onMethod ?? [])]) decorate(proto, method, descriptor);
}

function parameter(method: Method, row: Row): ParameterDecorator {
  const { param, enhancers = {} } = row;
  if (method === 'route') return routeParameter(row, enhancers);
  const pipes = enhancers.pipes ?? [];
  if (!param) return McpArgs({ pipes });
  const { name, schema, required = true } = param;
  return McpArg(name, { pipes, required, ...(schema === undefined ? {} : { schema }) });
}

function routeParameter({ param, routePipes = [] }: Row, { pipes = [] }: Enhancers): ParameterDecorator {
  const all = [...routePipes, ...pipes];
  return param ? Body(param.name, ...all) : Body(...all);
}
