import { redisUrl } from '@mocapi/redis-harness';
import { taskChangeFeedContract, taskRunIndexContract, taskStoreContract } from '@mocapi/testing';
import { connect, contractSubject } from '../support/open-store.js';

for (const clock of ['real', 'fake'] as const) {
  const subject = contractSubject(`RedisTaskStore, with ${clock} time,`, () => connect({ kind: 'url', url: redisUrl() }), clock);
  taskStoreContract({ describe, it }, subject);
  taskChangeFeedContract({ describe, it }, subject);
  taskRunIndexContract({ describe, it }, subject);
}
