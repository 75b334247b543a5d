import { HEAD } from './head.lua.js';

/** Script: creates a task. */
export const CREATE = `${HEAD}
-- Creates a task.
--
-- KEYS[1]  string of the task
-- ARGV[1]  operation id
-- ARGV[2]  document
-- ARGV[3]  entries of the ledger, each with the end of its line
-- ARGV[4]  ttl in ms; '' for none
-- ARGV[5]  stamp of its run
-- ARGV[6]  bytes of document and entries before encryption
-- ARGV[7]  clock: '' for that of Redis
--
-- Replies  {1, now}     created
--          {2, string}  this very operation has created it before: the task as it now is; or something that is no task, as it is
--          {0}          another task lives here, of whatever release
--
-- Guarantees: a live task is left untouched. However often it is sent, it creates once, even if others have changed the task meanwhile.
-- It writes all or nothing.

local key, op, clock = KEYS[1], ARGV[1], ARGV[7]
local now = now_ms(clock)
local head = head_of(key)

if not head then
  local deadline = redis.call('HMGET', key, 'x')[1]
  if not deadline or not is_over(deadline, now) then return {0} end
  redis.call('DEL', key)
elseif head ~= '' then
  if not is_known(head) then
    if string.find(head, '^T%d%d%d') then return {0} end
    return {2, redis.call('GET', key)}
  end
  if string.sub(head, 31, 46) == op then return {2, redis.call('GET', key)} end
  if not is_over(deadline_of(head), now) then return {0} end
  redis.call('DEL', key)
end

local deadline = ''
if ARGV[4] ~= '' then deadline = whole(now + tonumber(ARGV[4])) end

redis.call('SET', key, head_with(1, op, op, now, now, deadline, ARGV[5], #ARGV[2], ARGV[6]) .. ARGV[2] .. '\\n' .. ARGV[3])
if deadline ~= '' then live_until(key, deadline, now, clock) end
return {1, whole(now)}
`;
