/** Script: removes the session of a node that another node considers dead. */
export const BURY = `
-- Makes a session leave that was silent for too long, unless it has beaten since.
--
-- KEYS[1]  sorted set of sessions by their last beat
-- ARGV[1]  session
-- ARGV[2]  the score it showed all the time
-- ARGV[3]  channel on which all nodes listen
--
-- Replies  1  it has left, by this or before
--          0  it has beaten
--
-- Guarantees: compare and set in one step, so no node that lives is robbed without hearing of it with its next beat. Sent again it replies
-- as it did.

local last = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not last or tonumber(last) == -math.huge then return 1 end
if tonumber(last) ~= tonumber(ARGV[2]) then return 0 end
local refused = write_small({'ZREM', KEYS[1], ''}, {'ZADD', KEYS[1], '-inf', ARGV[1]})
if refused then return refused end
redis.pcall('PUBLISH', ARGV[3], '')
return 1
`;
