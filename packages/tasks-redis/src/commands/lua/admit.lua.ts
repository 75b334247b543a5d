/** Script: counts a task for its caller before it is created. */
export const ADMIT = `
-- Counts a task for its caller, unless the caller has as many as it may have.
--
-- KEYS[1]  sorted set of the caller's tasks by their deadline
-- ARGV[1]  task
-- ARGV[2]  ttl in ms; '' for none
-- ARGV[3]  how many there may be
-- ARGV[4]  clock: '' for that of Redis
--
-- Replies  {1}      it is counted, by this or before
--          {0, ms}  there are as many; the first of them expires in so many ms, '' for never
--
-- Guarantees: tasks that have expired do not count. The set goes with its last task.

local key, clock = KEYS[1], ARGV[4]
local now = now_ms(clock)

redis.call('ZREMRANGEBYSCORE', key, '-inf', '(' .. whole(now))
if redis.call('ZSCORE', key, ARGV[1]) then return {1} end
if redis.call('ZCARD', key) >= tonumber(ARGV[3]) then
  local first = tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2])
  return {0, first == math.huge and '' or whole(first - now + 1)}
end

redis.call('ZADD', key, ARGV[2] == '' and '+inf' or whole(now + tonumber(ARGV[2])), ARGV[1])
local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
live_until(key, tonumber(last) == math.huge and '' or last, now, clock)
return {1}
`;
