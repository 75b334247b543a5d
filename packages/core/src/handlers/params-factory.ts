import { ParamKind } from '../decorators/handler-metadata.js';
import type { McpArgData } from '../decorators/mcp-params.decorators.js';
import { isJsonObject } from '../protocol/json.js';
import { currentPass } from './pass-scope.js';
import { toolContext } from './tool-context.js';

/** Gives Nest's pipeline the values of the parameters that our decorators mark. Called inside the boundary, once per pass. */
export const paramsFactory = {
  exchangeKeyForValue(type: number, data: unknown): unknown {
    const { call, pass } = currentPass();
    switch (type) {
      case ParamKind.Args:
        return pass.args;
      case ParamKind.Arg: {
        const { args } = pass;
        const { name } = data as McpArgData;
        return isJsonObject(args) && Object.hasOwn(args, name) ? args[name] : undefined;
      }
      case ParamKind.Context:
        return toolContext(call, pass);
      default:
        return undefined;
    }
  },
};
