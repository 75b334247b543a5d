import { HEAD } from './head.lua.js';

/** Script: adds an entry to the ledger of a task, for the run that holds it. */
export const RECORD = `${HEAD}
-- Adds an entry to the ledger of a task, if a run still holds the task. What stands in the task is neither read nor written beside its head.
--
-- KEYS[1]  string of the task
-- ARGV[1]  stamp of the run
-- ARGV[2]  entry, with the end of its line
-- ARGV[3]  its bytes before encryption
-- ARGV[4]  bytes that document and entries may have before encryption
-- ARGV[5]  operation id
-- ARGV[6]  clock: '' for that of Redis
--
-- Replies  {1, now, version}  written
--          {2}                another run holds the task, or none
--          {3, bytes}         the task would be too large: so many bytes
--          {4}                the task is in another format
--          {0}                there is no task
--
-- Guarantees: the run is compared and the entry written in one step. Sent again after a lost reply it finds its own operation id and replies
-- as it did; if others have written since, the entry is there twice, of which readers take the first. When memory is short, it is refused.

local key, run, op, clock = KEYS[1], ARGV[1], ARGV[5], ARGV[6]
local now = now_ms(clock)
local head = head_of(key)

if head == '' then return {0} end
if not head or not is_known(head) then return {4} end
local version = tonumber(string.sub(head, 5, 14))
if string.sub(head, 15, 30) == op then return {1, whole(tonumber(string.sub(head, 60, 72))), whole(version)} end
local deadline = deadline_of(head)
if is_over(deadline, now) then
  redis.call('DEL', key)
  return {0}
end
if string.sub(head, 89, 100) ~= run then return {2} end
local size = tonumber(string.sub(head, 110, 118)) + tonumber(ARGV[3])
if size > tonumber(ARGV[4]) then return {3, whole(size)} end

local created, line = tonumber(string.sub(head, 47, 59)), tonumber(string.sub(head, 101, 109))
local next_head = head_with(version + 1, op, string.sub(head, 31, 46), created, now, deadline, run, line, size)
local refusal = refusal_of(redis.pcall('SETRANGE', key, 0, next_head))
if refusal then return redis.error_reply(refusal) end
redis.call('APPEND', key, ARGV[2])
announce(key, version + 1)
return {1, whole(now), whole(version + 1)}
`;
