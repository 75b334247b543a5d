import type { Case } from '../corpus/case.js';
import { STATE } from '../corpus/case.js';
import type { Endpoint } from '../servers/endpoint.js';
import type { Pairs } from '../servers/pairs.js';
import type { RawRequest } from '../wire/raw-request.js';
import type { RawResponse } from '../wire/raw-response.js';
import { send } from '../wire/send.js';
import { differ, type Difference } from './differ.js';
import { observe } from './observe.js';

/** What both said to one case. */
export interface Compared {
  readonly differences: readonly Difference[];
  readonly ours: RawResponse;
  readonly official: RawResponse;
}

/** Sends one case to both servers of its pair, the same bytes to each but for the state that each sealed itself. */
export async function runCase(pairs: Pairs, entry: Case): Promise<Compared> {
  const pair = pairs[entry.pair ?? 'whole'];
  const [ours, official] = await Promise.all([ask(pair.ours, entry), ask(pair.official, entry)]);
  return { ours, official, differences: differ(observe(ours), observe(official)) };
}

async function ask(endpoint: Endpoint, entry: Case): Promise<RawResponse> {
  const request = await withState(endpoint, entry);
  if (!isListening(request)) return send(endpoint.port, request);
  const changes = entry.listens ?? [];
  return send(endpoint.port, request, () => changes.forEach((change) => endpoint.announce(change)));
}

async function withState(endpoint: Endpoint, { request, after }: Case): Promise<RawRequest> {
  if (after === undefined) return request;
  const first = await ask(endpoint, after);
  const { result } = JSON.parse(first.body) as { result?: { requestState?: string } };
  return { ...request, body: request.body.toString().replaceAll(STATE, result?.requestState ?? 'no state') };
}

function isListening({ body }: RawRequest): boolean {
  return body.includes('subscriptions/listen');
}
