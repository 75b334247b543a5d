/**
 * The one door to the official Tasks package. Only types come through: at run time nothing of it is loaded.
 * Its schemas refuse a whole `inputResponses` map for one bad entry, so they judge our output in tests and never a client's input.
 */
export type { TaskV2 as OfficialTask } from '@modelcontextprotocol/ext-tasks/core/v2';
