import { annotations, icons, resourceMembers } from './content.js';
import { anyObject, boolean, integer, oneOf, string, uri } from './scalars.js';
import { arrayOf, object } from './shape.js';

const described = { title: string, description: string, icons, _meta: anyObject };
const hints = object(
  {},
  { title: string, readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean },
);

/** An entry of `tools/list`. */
export const tool = object(
  { name: string, inputSchema: object({ type: oneOf('object') }, { $schema: string }) },
  { ...described, outputSchema: object({}, { $schema: string }), annotations: hints },
);

/** An entry of `prompts/list`. */
export const prompt = object(
  { name: string },
  { ...described, arguments: arrayOf(object({ name: string }, { title: string, description: string, required: boolean })) },
);

/** An entry of `resources/list`. */
export const resource = object({ uri, name: string }, { ...resourceMembers, size: integer });

/** An entry of `resources/templates/list`. */
export const resourceTemplate = object({ uriTemplate: string, name: string }, { ...resourceMembers, annotations });

/** Name and version of a server. */
export const implementation = object({ name: string, version: string }, { title: string, description: string, websiteUrl: uri, icons });
