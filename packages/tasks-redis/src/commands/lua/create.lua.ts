/** Script: creates a task. */
export const CREATE = `
-- Creates a task.
--
-- KEYS[1]  hash of the task
-- ARGV[1]  format of the document
-- ARGV[2]  document
-- ARGV[3]  ttl in ms; '' for none
-- ARGV[4]  operation id
-- ARGV[5]  account of the caller
-- ARGV[6]  clock: '' for that of Redis
--
-- Replies  {1, now}              created
--          {2, f, v, d, c, u, o} this very operation has created it before: the task as it now is
--          {0}                   another task lives here
--
-- Guarantees: a live task is left untouched. However often it is sent, it creates once, even if others have changed the task meanwhile.
-- It writes all or nothing: the first write is the one that Redis refuses when memory is short.

local key, clock = KEYS[1], ARGV[6]
local now = now_ms(clock)

if redis.call('EXISTS', key) == 1 then
  local birth, deadline = unpack(redis.call('HMGET', key, 'b', 'x'))
  if birth == ARGV[4] then return {2, unpack(redis.call('HMGET', key, 'f', 'v', 'd', 'c', 'u', 'o'))} end
  if not deadline or not is_over(deadline, now) then return {0} end
  redis.call('DEL', key)
end

local deadline = ''
if ARGV[3] ~= '' then deadline = whole(now + tonumber(ARGV[3])) end

redis.call('HSET', key, 'f', ARGV[1], 'v', '1', 'd', ARGV[2], 'c', whole(now), 'u', whole(now), 'x', deadline, 'o', ARGV[4], 'b', ARGV[4], 'a', ARGV[5])
if deadline ~= '' then live_until(key, deadline, now, clock) end
return {1, whole(now)}
`;
