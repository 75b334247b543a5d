import { jest } from '@jest/globals';
import { InMemoryTaskStore } from '@mocapi/tasks';
import { taskNodesContract } from '@mocapi/testing';

// Longer than anything in here waits.
jest.setTimeout(60_000);

taskNodesContract(
  { describe, it },
  {
    name: 'InMemoryTaskStore',
    create: (clock, options) => new InMemoryTaskStore(clock, options),
    dispose: (store) => (store as InMemoryTaskStore).close(),
  },
);
