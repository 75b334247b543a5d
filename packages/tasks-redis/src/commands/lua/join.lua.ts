/** Script: enters a session among the nodes. */
export const JOIN = `
-- Enters a session among the nodes.
--
-- KEYS[1]  sorted set of sessions by their last beat
-- ARGV[1]  session
-- ARGV[2]  clock: '' for that of Redis
--
-- Replies  1
--
-- Guarantees: from now on the session is alive for as long as it beats. Sent again it counts as a beat.

return write_small({'ZREM', KEYS[1], ''}, {'ZADD', KEYS[1], whole(now_ms(ARGV[2])), ARGV[1]}) or 1
`;
