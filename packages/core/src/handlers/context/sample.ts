import type { JsonObject } from '../../protocol/json.js';
import { Method } from '../../protocol/vocabulary.js';
import type { Role, SamplingMessageContentBlock } from '../../protocol/official.js';
import { toExactJsonValue } from '../../protocol/to-json-value.js';
import type { HandlerCall } from '../run/handler-call.js';
import { requireFeature, type Asked, type ClientFeature } from './ask-client.js';
import { assertSample, type SampleParams } from './sample-params.js';

/** The model's answer. */
export interface SampleAnswer {
  readonly role: Role;
  /** One block or several; `tool_use` only where the request offered tools. */
  readonly content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or a word of the client's. */
  readonly stopReason?: string;
  readonly _meta?: Record<string, unknown>;
}

/** Asks the client's model. */
export function sample(params: SampleParams, call: HandlerCall): Asked<SampleAnswer> {
  requireFeature(call, featureOf(params));
  assertSample(params);
  const request = { method: Method.CreateMessage, params: toExactJsonValue(params, 'the params of ctx.sample') as JsonObject };
  return { kind: 'sampling', request, read: (answer) => answer as unknown as SampleAnswer };
}

/** The feature of sampling that a request uses: a client that did not declare it must not get the request. */
function featureOf({ tools, toolChoice, includeContext = 'none' }: SampleParams): ClientFeature {
  if (tools !== undefined || toolChoice !== undefined) return 'sampling.tools';
  return includeContext === 'none' ? 'sampling' : 'sampling.context';
}
