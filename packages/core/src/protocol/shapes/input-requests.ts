import { Method } from '../vocabulary.js';
import { samplingMessage, tool } from './content.js';
import {
  anyObject,
  anything,
  arrayOf,
  byMember,
  fraction,
  integer,
  number,
  object,
  oneOf,
  recordOf,
  type Shape,
  string,
  uri,
} from './shape.js';

const form = object(
  {
    message: string,
    requestedSchema: object({ type: oneOf('object'), properties: recordOf(object({ type: string })) }, { required: arrayOf(string) }),
  },
  {},
);
const elicitation = byMember('mode', { form, url: object({ message: string, url: uri }) });

const preferences = object(
  {},
  { hints: arrayOf(object({}, { name: string })), costPriority: fraction, speedPriority: fraction, intelligencePriority: fraction },
);
const sampling = object(
  { messages: arrayOf(samplingMessage), maxTokens: integer },
  {
    modelPreferences: preferences,
    systemPrompt: string,
    includeContext: oneOf('none', 'thisServer', 'allServers'),
    temperature: number,
    stopSequences: arrayOf(string),
    metadata: anyObject,
    tools: arrayOf(tool),
    toolChoice: object({}, { mode: oneOf('auto', 'required', 'none') }),
  },
);

/** A question to the client (MCP basic "Multi round-trip requests"). */
export const inputRequest: Shape = byMember('method', {
  [Method.Elicit]: object({ params: elicitation }),
  [Method.CreateMessage]: object({ params: sampling }),
  [Method.ListRoots]: object({}, { params: anything }),
});

/** Questions by key. */
export const inputRequests = recordOf(inputRequest);
