/** Script: makes a session dead at once. */
export const LEAVE = `
-- Makes a session dead at once, and says so to every node.
--
-- KEYS[1]  sorted set of sessions by their last beat
-- ARGV[1]  session
-- ARGV[2]  channel on which all nodes listen
--
-- Replies  1
--
-- Guarantees: the session is dead at any lease and can not beat any more. One that was dropped before is listed again: it may have
-- entered tasks since, which would never be found otherwise. Where the channel is denied, the nodes find out by their next look.

local refused = write_small({'ZREM', KEYS[1], ''}, {'ZADD', KEYS[1], '-inf', ARGV[1]})
if refused then return refused end
redis.pcall('PUBLISH', ARGV[2], '')
return 1
`;
