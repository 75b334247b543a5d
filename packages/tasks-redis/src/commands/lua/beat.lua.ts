/** Script: a session says that it lives. */
export const BEAT = `
-- Says that a session lives.
--
-- KEYS[1]  sorted set of sessions by their last beat
-- ARGV[1]  session
-- ARGV[2]  clock: '' for that of Redis
--
-- Replies  1  it is known to live
--          0  it has left, or was dropped
--
-- Guarantees: a session that is not alive does not come back to life. Each beat raises the score, whatever the clock does: others read
-- nothing from it but that.

local last = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not last or tonumber(last) == -math.huge then return 0 end
return write_small({'ZREM', KEYS[1], ''}, {'ZADD', KEYS[1], whole(math.max(now_ms(ARGV[2]), tonumber(last) + 1)), ARGV[1]}) or 1
`;
