import type { JsonObject } from '../../protocol/json.js';
import { Method } from '../../protocol/vocabulary.js';
import type { Role, SamplingMessageContentBlock } from '../../protocol/official.js';
import { toExactJsonValue } from '../../protocol/to-json-value.js';
import type { CallPass } from '../run/run-pass.js';
import { askClient } from './ask-client.js';
import { requireFeatures, type ClientFeature } from './client-features.js';
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
export function sample(current: CallPass, key: { readonly key?: string }, params: SampleParams): Promise<SampleAnswer> {
  return askClient(current, {
    question: () => {
      requireFeatures(current.call, featuresOf(params));
      assertSample(params);
      const asked = toExactJsonValue(params, 'the params of ctx.sample') as JsonObject;
      return { kind: 'sampling', request: { method: Method.CreateMessage, params: asked }, ...key };
    },
    read: (answer) => answer as unknown as SampleAnswer,
  });
}

/** Features of sampling that a request uses: a client that did not declare one must not get the request. */
function featuresOf({ tools, toolChoice, includeContext = 'none' }: SampleParams): ClientFeature[] {
  if (tools !== undefined || toolChoice !== undefined) return ['sampling.tools'];
  return includeContext === 'none' ? ['sampling'] : ['sampling.context'];
}
