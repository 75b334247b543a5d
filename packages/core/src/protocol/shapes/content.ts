import { isJsonObject } from '../json.js';
import {
  anyObject,
  arrayOf,
  base64,
  boolean,
  byMember,
  dateTime,
  fraction,
  integer,
  misfit,
  object,
  oneOf,
  type Shape,
  string,
  uri,
} from './shape.js';

/** Who speaks in a prompt or a sample. */
export const role = oneOf('user', 'assistant');

/** Annotations of content and resources (MCP server/resources "Annotations"). */
export const annotations = object({}, { audience: arrayOf(role), priority: fraction, lastModified: dateTime });

/** Icons (MCP basic "Icons"). */
export const icons = arrayOf(object({ src: uri }, { mimeType: string, sizes: arrayOf(string), theme: oneOf('light', 'dark') }));

const extras = { annotations, _meta: anyObject };
const media = object({ data: base64, mimeType: string }, extras);
/** The members of a resource beside its URI. */
export const resourceMembers = { title: string, description: string, mimeType: string, icons, ...extras };

const textContents = object({ uri, text: string }, { mimeType: string, _meta: anyObject });
const blobContents = object({ uri, blob: base64 }, { mimeType: string, _meta: anyObject });

/** The contents of a resource: a text, or a blob (MCP server/resources "Resource contents"). */
export const resourceContents: Shape = (value) => {
  if (!isJsonObject(value)) return misfit('an object', value);
  if (value.text === undefined && value.blob === undefined) return misfit('an object with a text or a blob', value);
  return value.text === undefined ? blobContents(value) : textContents(value);
};

/** A block of content (MCP server/tools "Tool result"). */
export const contentBlock = byMember('type', {
  text: object({ text: string }, extras),
  image: media,
  audio: media,
  resource_link: object({ uri, name: string }, { ...resourceMembers, size: integer }),
  resource: object({ resource: resourceContents }, extras),
});

/** A message of a prompt. */
export const promptMessage = object({ role, content: contentBlock });

const samplingBlock = byMember('type', {
  text: object({ text: string }, extras),
  image: media,
  audio: media,
  tool_use: object({ id: string, name: string, input: anyObject }, { _meta: anyObject }),
  tool_result: object({ toolUseId: string, content: arrayOf(contentBlock) }, { isError: boolean, _meta: anyObject }),
});
const samplingBlocks = arrayOf(samplingBlock);

/** A message of a sample, of one block or several. */
export const samplingMessage = object(
  { role, content: (value) => (Array.isArray(value) ? samplingBlocks(value) : samplingBlock(value)) },
  { _meta: anyObject },
);

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
