import { ParamKind } from '../../decorators/handler-metadata.js';
import { isJsonObject } from '../../protocol/json.js';
import { handlerContext } from '../context/handler-context.js';
import { toolContext } from '../context/tool-context.js';
import { currentPass, type CallPass } from './pass-scope.js';

/** Gives Nest's pipeline the values of the parameters that our decorators mark. Called inside the boundary, once per pass. */
export const paramsFactory = {
  exchangeKeyForValue: (kind: number, data: unknown): unknown => paramValue(kind, data, currentPass()),
};

/** The value of a parameter that one of our decorators marks. */
export function paramValue(kind: number, data: unknown, current: CallPass): unknown {
  const { call, pass } = current;
  switch (kind) {
    case ParamKind.Args: {
      const { args } = pass;
      if (typeof data !== 'string') return args;
      return isJsonObject(args) && Object.hasOwn(args, data) ? args[data] : undefined;
    }
    case ParamKind.Context:
      return call.handler.kind === 'tool' ? toolContext(current) : handlerContext(current);
    default:
      return undefined;
  }
}
