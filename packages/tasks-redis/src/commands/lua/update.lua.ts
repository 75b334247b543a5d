import { HEAD } from './head.lua.js';

/** Script: writes what has changed in a task, compare and set. */
export const UPDATE = `${HEAD}
-- Writes what has changed in a task, if it still is what the caller made its change of.
--
-- KEYS[1]   string of the task
-- ARGV[1]   version that is expected
-- ARGV[2]   operation id of the write that made that version
-- ARGV[3]   operation id
-- ARGV[4]   next document; '' where it stays as it is
-- ARGV[5]   entries for the ledger, each with the end of its line
-- ARGV[6]   what becomes of the entries that are there: 'keep' or 'drop'
-- ARGV[7]   ttl in ms, from the creation; '' for none
-- ARGV[8]   stamp of its run
-- ARGV[9]   bytes of document and entries before encryption
-- ARGV[10]  bytes by which the task may get longer though memory is short; '' where it may not
-- ARGV[11]  clock: '' for that of Redis
--
-- Replies  {1, now}     written
--          {2, string}  the task is another one: as it now is
--          {0}          there is no task, or its new deadline has passed and it was removed
--
-- Guarantees: compare and set in one step. The version alone is not enough to compare: after a failover it can come a second time with
-- other content. Sent again after a lost reply it finds its own operation id and replies as it did. The announcement comes after
-- the write, and never without it; where the channel is denied, the write stands without an announcement. When memory is short, a
-- task is written that gets no longer, or by no more than is allowed; any other is refused, and nothing is written.

-- While a run holds a task with a ledger, its document may grow by so much before the ledger has to be moved.
local SLACK = 256

local key, op, document, entries, run, clock = KEYS[1], ARGV[3], ARGV[4], ARGV[5], ARGV[8], ARGV[11]
local now = now_ms(clock)
local head, failure = head_of(key)

if failure then return failure end
if head == '' then return {0} end
if not is_known(head) then return {2, redis.call('GET', key)} end
if string.sub(head, 15, 30) == op then return {1, whole(tonumber(string.sub(head, 60, 72)))} end
local deadline = deadline_of(head)
if is_over(deadline, now) then
  redis.call('DEL', key)
  return {0}
end
local version, created = tonumber(string.sub(head, 5, 14)), tonumber(string.sub(head, 47, 59))
if version ~= tonumber(ARGV[1]) or string.sub(head, 15, 30) ~= ARGV[2] then return {2, redis.call('GET', key)} end

local next_deadline = ''
if ARGV[7] ~= '' then next_deadline = whole(created + tonumber(ARGV[7])) end
if is_over(next_deadline, now) then
  redis.call('DEL', key)
  return {0}
end

local line = tonumber(string.sub(head, 101, 109))
local function next_head(bytes)
  return head_with(version + 1, op, string.sub(head, 31, 46), created, now, next_deadline, run, bytes, ARGV[9])
end

-- Whether it can be written where it stands: then the ledger is not touched.
local is_kept = ARGV[6] == 'keep'
local stays = is_kept and (document == '' or (run ~= NO_RUN and #document <= line))
local write
if stays then
  local text = next_head(line)
  if document ~= '' then text = text .. document .. string.rep(' ', line - #document) end
  write = {'SETRANGE', key, 0, text}
else
  local ledger = (is_kept and redis.call('GETRANGE', key, HEAD + line + 1, -1) or '') .. entries
  if document == '' then
    document = redis.call('GETRANGE', key, HEAD, HEAD + line - 1)
  elseif run ~= NO_RUN and ledger ~= '' then
    document = document .. string.rep(' ', SLACK)
  end
  write = {'SET', key, next_head(#document) .. document .. '\\n' .. ledger, 'KEEPTTL'}
end

local refusal = refusal_of(redis.pcall(unpack(write)))
if refusal then
  local length = redis.call('STRLEN', key)
  local next_length = stays and length + #entries or #write[3]
  if not is_full(refusal) or next_length > length + (tonumber(ARGV[10]) or 0) then return redis.error_reply(refusal) end
  -- Redis refuses the first write of a script alone: this one takes no memory, and changes nothing.
  live_until(key, deadline, now, clock)
  redis.call(unpack(write))
end
if stays and entries ~= '' then redis.call('APPEND', key, entries) end
if tonumber(next_deadline) ~= tonumber(deadline) then live_until(key, next_deadline, now, clock) end
announce(key, version + 1)
return {1, whole(now)}
`;
