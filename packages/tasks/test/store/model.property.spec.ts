import { InMemoryTaskStore } from '@mocapi/tasks';
import { describeStoreModel } from '../../../../test/support/task-store-model/describe-store-model.js';

describeStoreModel(
  {
    name: 'InMemoryTaskStore',
    create: (clock, options) => new InMemoryTaskStore(clock, options),
    dispose: (store) => (store as InMemoryTaskStore).close(),
  },
  { oneByOne: 700, atOnce: 300 },
);
