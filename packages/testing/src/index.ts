export { CollectingRunner, type ContractOutcome } from './contracts/collecting-runner.js';
export {
  type Contract,
  type ContractCase,
  type ContractFixture,
  type ContractRunner,
  defineContract,
} from './contracts/define-contract.js';
export { taskChangeFeedContract, taskRunIndexContract } from './contracts/task-seams.contract.js';
export { taskStoreContract } from './contracts/task-store.contract.js';
export type { TaskStoreContractOptions, TaskStoreContractSubject } from './contracts/task-store/task-store.fixture.js';
export { FakeClock } from './fakes/fake-clock.js';
export { RecordingNotificationSink, RecordingProgressSink } from './fakes/recording-sink.js';
export { sampleDraft } from './fakes/sample-task.js';
