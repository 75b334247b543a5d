import { NestKey, methodOf, paramTypesOf, type MethodRef } from '../nest/metadata.js';
import { ParamKind, type ParamsMetadata } from '../decorators/handler-metadata.js';
import type { DefinitionFault } from '../errors/definition-fault.js';

const OWN_KINDS = new Set<string>(Object.values(ParamKind).map(String));

/** A method and what marks its parameters. */
export interface MarkedMethod extends MethodRef {
  readonly where: string;
  readonly params: ParamsMetadata;
}

/** The parameters that would arrive as `undefined`: those nothing marks, and those that a decorator for HTTP marks. */
export function checkParams(method: MarkedMethod): DefinitionFault[] {
  const faults: DefinitionFault[] = [...checkGenerator(method)];
  const marked = new Set<number>();
  const params = Object.entries(method.params).toSorted(([, one], [, other]) => one.index - other.index);
  for (const [key, { index }] of params) {
    marked.add(index);
    const kind = key.split(':')[0]!;
    if (key.includes(NestKey.CustomArgs) || OWN_KINDS.has(kind)) continue;
    faults.push({
      where: method.where,
      problem: `parameter ${index + 1} has a decorator that reads HTTP (@Query, @Headers, @Param, @Req, @Res or similar)`,
      fix: 'Use @McpArgs(), @McpArg(name) or @McpContext(); for parts of the request, use your own createParamDecorator.',
    });
  }
  for (let index = 0; index < parameterCount(method); index++) {
    if (marked.has(index)) continue;
    faults.push({
      where: method.where,
      problem: `parameter ${index + 1} has no decorator, so it would arrive as undefined`,
      fix: 'Add @McpArgs() (all arguments), @McpArg(name) (one of them) or @McpContext().',
    });
  }
  return faults;
}

/** A generator would be called and never run: what it returns is an iterator, which no result is made of. */
function checkGenerator(method: MarkedMethod): DefinitionFault[] {
  const kind = Object.prototype.toString.call(methodOf(method));
  if (!kind.includes('GeneratorFunction')) return [];
  return [
    {
      where: method.where,
      problem: 'the method is a generator (function*, async *), and yielded values do not become a result',
      fix: 'Return the whole result from an async method; report progress with ctx.progress().',
    },
  ];
}

/** TypeScript's metadata counts every parameter; a function's length leaves out those with a default. */
function parameterCount(method: MarkedMethod): number {
  return (paramTypesOf(method) ?? methodOf(method)).length;
}
