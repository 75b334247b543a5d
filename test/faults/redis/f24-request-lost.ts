import { taskKeyOf } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { marked } from './support/marks.js';
import { freshPrefix, openStore } from './support/open-store.js';
import { startProxy, startServer } from './support/start-server.js';
import { StoreHistory } from './support/store-history.js';

const ROUNDS = { short: 10, long: 200 } as const;

/** The connection breaks before Redis has seen a write: once, and then at the first attempts to send it again, too. */
export const requestLost: Fault = {
  id: 'F24',
  title: 'a write that never reached Redis is sent again and made once',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const server = await startServer(cleanup);
  const proxy = await startProxy(cleanup, server);
  const prefix = freshPrefix();
  const store = await openStore(cleanup, proxy.url, { prefix });
  const history = new StoreHistory();
  let fired = 0;
  let asked = 0;
  for (let index = 0; index < ROUNDS[scale]; index++) {
    const times = 1 + (index % 3);
    asked += 2 * times;
    const draft = sampleDraft();
    const key = taskKeyOf(draft.principal, draft.taskId);
    const creation = proxy.cutBefore({ containing: ['eval', prefix + key], times });
    await history.create(store, draft);
    const update = proxy.cutBefore({ containing: ['eval', prefix + key], times });
    await history.write(store, { key, mark: 'write' }, (record) => marked(record, 'write'));
    fired += creation.fired + update.fired;
  }
  const verdict = await judgeHistory(history, store);
  return {
    injected: `${2 * ROUNDS[scale]} writes cut off before Redis, ${asked} cuts`,
    fired: fired === asked ? evidence(fired, 'requests cut off in the proxy') : '',
    expected: `${2 * ROUNDS[scale]} acknowledged, each made once`,
    seen: wordsOf(verdict),
    held: isSound(verdict) && verdict.acknowledged === 2 * ROUNDS[scale],
  };
}
