import { Method } from '../../protocol/vocabulary.js';
import type { Root } from '../../protocol/official.js';
import type { CallPass } from '../run/run-pass.js';
import { askClient } from './ask-client.js';
import { requireFeatures } from './client-features.js';

/** Asks for the client's roots (MCP client/roots). */
export function listRoots(current: CallPass, key: { readonly key?: string }): Promise<Root[]> {
  return askClient(current, {
    question: () => {
      requireFeatures(current.call, ['roots']);
      return { kind: 'roots', request: { method: Method.ListRoots }, ...key };
    },
    read: (answer) => (answer as unknown as { roots: Root[] }).roots,
  });
}
