import type { Endpoint, PairSettings } from './endpoint.js';
import { startOfficial } from './official-server.js';
import { startOurs } from './our-server.js';

/** Ours and the official one over the same fixtures. */
export interface Pair {
  readonly ours: Endpoint;
  readonly official: Endpoint;
}

const SETTINGS = {
  /** Everything there is, older clients served: the default of both. */
  whole: { legacy: 'stateless', isWhole: true },
  /** Older clients refused. */
  strict: { legacy: 'reject', isWhole: true },
  /** One tool, and nothing else to offer. */
  small: { legacy: 'stateless', isWhole: false },
} as const satisfies Record<string, PairSettings>;

/** Which of the pairs a request goes to. */
export type PairName = keyof typeof SETTINGS;
export type Pairs = Readonly<Record<PairName, Pair>>;

export async function startPairs(): Promise<Pairs> {
  const entries = await Promise.all(
    Object.entries(SETTINGS).map(async ([name, settings]) => {
      const [ours, official] = await Promise.all([startOurs(settings), startOfficial(settings)]);
      return [name, { ours, official }] as const;
    }),
  );
  return Object.fromEntries(entries) as unknown as Pairs;
}

export async function closePairs(pairs: Pairs): Promise<void> {
  await Promise.all(Object.values(pairs).flatMap(({ ours, official }) => [ours.close(), official.close()]));
}
