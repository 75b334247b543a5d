import { InMemoryTaskStore } from '@mocapi/tasks';
import { taskChangeFeedContract, taskRunIndexContract, taskStoreContract, type TaskStoreContractSubject } from '@mocapi/testing';

const subject: TaskStoreContractSubject = {
  name: 'InMemoryTaskStore',
  create: (clock, { bounds, ...options }) => new InMemoryTaskStore(clock, { ...options, ...bounds }),
  bounds: true,
  dispose: (store) => (store as InMemoryTaskStore).close(),
};

taskStoreContract({ describe, it }, subject);
taskChangeFeedContract({ describe, it }, subject);
taskRunIndexContract({ describe, it }, subject);
