import { jest } from '@jest/globals';
import { redisUrl } from '@mocapi/redis-harness';
import { taskNodesContract } from '@mocapi/testing';
import { connect, contractSubject } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(60_000);

taskNodesContract(
  { describe, it },
  contractSubject('RedisTaskStore', () => connect({ kind: 'url', url: redisUrl() }), 'real'),
);
