import { ParamKind } from '../decorators/handler-metadata.js';
import type { McpArgData } from '../decorators/mcp-params.decorators.js';
import { isJsonObject } from '../protocol/json.js';
import { currentCall } from './pass-scope.js';
import { toolContext } from './tool-context.js';

/** Gives Nest's pipeline the values of the parameters that our decorators mark. Called inside the boundary, once per pass. */
export const paramsFactory = {
  exchangeKeyForValue(type: number, data: unknown): unknown {
    const call = currentCall();
    switch (type) {
      case ParamKind.Args:
        return call.pass!.args;
      case ParamKind.Arg: {
        const { args } = call.pass!;
        const { name } = data as McpArgData;
        return isJsonObject(args) && Object.hasOwn(args, name) ? args[name] : undefined;
      }
      case ParamKind.Context:
        return toolContext(call, call.pass!);
      default:
        return undefined;
    }
  },
};
