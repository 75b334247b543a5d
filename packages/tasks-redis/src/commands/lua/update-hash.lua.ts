/** Script: replaces the document of a task that an older release created, compare and set. */
export const UPDATE_HASH = `
-- Replaces the document of a task that is a hash, as releases before format 2 created it, so that nodes of both releases go on with it.
--
-- KEYS[1]  hash of the task
-- ARGV[1]  version that is expected
-- ARGV[2]  operation id of the write that made that version
-- ARGV[3]  format of the next document
-- ARGV[4]  next document
-- ARGV[5]  its ttl in ms, from the creation; '' for none
-- ARGV[6]  operation id
-- ARGV[7]  channel on which the new version is announced
-- ARGV[8]  bytes by which the document may be longer than the one before though memory is short; '' where it may not
-- ARGV[9]  clock: '' for that of Redis
--
-- Replies  {1, now}              written
--          {2, f, v, d, c, u, o} the task is another one: as it now is
--          {0}                   there is no task, or its new deadline has passed and it was removed
--
-- Guarantees: compare and set in one step. The version alone is not enough to compare: after a failover it can come a second time with
-- other content. Sent again after a lost reply it finds its own operation id and replies as it did. The announcement comes after
-- the write, and never without it; where the channel is denied, the write stands without an announcement. When memory is short, a
-- document is written that is not longer than the one before, or by no more than is allowed; any other is refused, and nothing is written.

local key, clock = KEYS[1], ARGV[9]
local now = now_ms(clock)
local version, op, created, updated, deadline = unpack(redis.call('HMGET', key, 'v', 'o', 'c', 'u', 'x'))

if not version then return {0} end
if op == ARGV[6] then return {1, updated} end
if is_over(deadline, now) then
  redis.call('DEL', key)
  return {0}
end
if version ~= ARGV[1] or op ~= ARGV[2] then return {2, unpack(redis.call('HMGET', key, 'f', 'v', 'd', 'c', 'u', 'o'))} end

local next_deadline = ''
if ARGV[5] ~= '' then next_deadline = whole(tonumber(created) + tonumber(ARGV[5])) end
if is_over(next_deadline, now) then
  redis.call('DEL', key)
  return {0}
end

local next_version = whole(tonumber(version) + 1)
local write = {'HSET', key, 'f', ARGV[3], 'v', next_version, 'd', ARGV[4], 'u', whole(now), 'x', next_deadline, 'o', ARGV[6]}
local refusal = refusal_of(redis.pcall(unpack(write)))
if refusal then
  local room = redis.call('HSTRLEN', key, 'd') + (tonumber(ARGV[8]) or 0)
  local refused = redis.error_reply(refusal)
  if is_full(refusal) and #ARGV[4] <= room then refused = write_small({'HDEL', key, ''}, write) end
  if refused then return refused end
end
if next_deadline ~= deadline then live_until(key, next_deadline, now, clock) end
redis.pcall('PUBLISH', ARGV[7], next_version)
return {1, whole(now)}
`;
