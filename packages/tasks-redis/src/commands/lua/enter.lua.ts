/** Script: enters tasks under a session. */
export const ENTER = `
-- Enters tasks under the session that runs them, also when memory is short: what is running already has to be found.
--
-- KEYS[1]  set of what the session runs
-- ARGV     the tasks
--
-- Replies  1
--
-- Guarantees: all are entered, or none.

return write_small({'SREM', KEYS[1], ''}, {'SADD', KEYS[1], unpack(ARGV)}) or 1
`;
