/** Text that precedes every script: the time. */
export const CLOCK = `
-- Goes before every other script.
--
-- Guarantees: all times are those of Redis, in whole milliseconds since the epoch, so no clock of a node takes part in any decision.
-- A script is handed '' as its clock. Tests hand it a time of their own; a key then lives by Redis for an hour, and by that time alone
-- for its ttl.

local TEST_LIFE_MS = 3600000

local function now_ms(clock)
  if clock ~= '' then return tonumber(clock) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function whole(number)
  return string.format('%.0f', number)
end

local function is_over(deadline, now)
  return deadline ~= '' and tonumber(deadline) < now
end

local function refusal_of(reply)
  return type(reply) == 'table' and reply.err or nil
end

local function is_full(refusal)
  return string.find(refusal, 'OOM', 1, true) ~= nil
end

-- For a write that takes a few bytes at most: it is made though memory is short. Redis refuses the first write of a script alone, and never
-- one that only removes; the removal is such a one, which finds nothing to remove.
local function write_small(removal, write)
  local refusal = refusal_of(redis.pcall(unpack(write)))
  if not refusal then return nil end
  if not is_full(refusal) then return redis.error_reply(refusal) end
  redis.call(unpack(removal))
  redis.call(unpack(write))
  return nil
end

-- Redis removes a key once its time is past, so the key can still be read in the millisecond of the deadline. A time that has come is
-- refused as past, hence the next one where the deadline is now.
local function live_until(key, deadline, now, clock)
  if clock ~= '' then
    redis.call('PEXPIRE', key, TEST_LIFE_MS)
  elseif deadline == '' then
    redis.call('PERSIST', key)
  else
    redis.call('PEXPIREAT', key, whole(math.max(tonumber(deadline), now + 1)))
  end
end
`;
