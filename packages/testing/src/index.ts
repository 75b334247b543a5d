export { CollectingRunner, type ContractOutcome } from './contracts/collecting-runner.js';
export {
  type Contract,
  type ContractCase,
  type ContractFixture,
  type ContractRunner,
  defineContract,
} from './contracts/define-contract.js';
export { taskNodesContract } from './contracts/task.contracts.js';
export { taskChangeFeedContract, taskRunIndexContract } from './contracts/task.contracts.js';
export { taskStoreContract } from './contracts/task.contracts.js';
export type { TaskStoreContractOptions, TaskStoreContractSubject } from './contracts/task-store/task-store.fixture.js';
export { FakeClock } from './fakes/fake-clock.js';
export { RecordingNotificationSink, RecordingProgressSink } from './fakes/recording-sink.js';
export { sampleDraft } from './fakes/sample-task.js';
export { accept, answerInput, decline } from './harness/answer-input.js';
export type { LogEntry } from './harness/captured-logs.js';
export {
  createMcpTestingApp,
  type McpTestingApp,
  type McpTestingAppOptions,
  type McpTestingModule,
  type McpTestingParts,
} from './harness/create-mcp-testing-app.js';
export { expectEveryRequestRefused, type EveryRequestRefusedOptions } from './harness/expect-every-request-refused.js';
export { McpListenStream } from './harness/listen.js';
export type { McpReply, ReplyResult } from './harness/mcp-reply.js';
export { type CallToolExtra, type McpRequestOptions, McpTestClient, type McpTestClientOptions } from './harness/mcp-test-client.js';
export { pollTask, PollTaskError, type PollTaskOptions } from './harness/poll-task.js';
