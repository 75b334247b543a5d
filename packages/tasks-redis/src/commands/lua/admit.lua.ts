/** Script: counts tasks for their caller before they are created. */
export const ADMIT = `
-- Counts tasks for their caller, as many as the caller may have.
--
-- KEYS[1]    sorted set of the caller's tasks by their deadline
-- ARGV[1]    how many there may be
-- ARGV[2]    clock: '' for that of Redis
-- ARGV[3..]  a task, and its ttl in ms, '' for none; then the next task
--
-- Replies  {ms, code..}  a code for each task: 1 if it is counted, by this or before; 0 if there are as many. The first of them
--                        expires in so many ms, '' for never or where no task was refused
--
-- Guarantees: tasks that have expired do not count. The set goes with its last task.

local key, max, clock = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local now = now_ms(clock)

redis.call('ZREMRANGEBYSCORE', key, '-inf', '(' .. whole(now))
local count, codes, has_added = redis.call('ZCARD', key), {''}, false
for index = 3, #ARGV, 2 do
  local task, ttl = ARGV[index], ARGV[index + 1]
  local code = 1
  if not redis.call('ZSCORE', key, task) then
    if count < max then
      redis.call('ZADD', key, ttl == '' and '+inf' or whole(now + tonumber(ttl)), task)
      count, has_added = count + 1, true
    else
      code = 0
    end
  end
  codes[#codes + 1] = code
  if code == 0 and codes[1] == '' then
    local first = tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2])
    codes[1] = first == math.huge and '' or whole(first - now + 1)
  end
end

if has_added then
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
  live_until(key, tonumber(last) == math.huge and '' or last, now, clock)
end
return codes
`;
