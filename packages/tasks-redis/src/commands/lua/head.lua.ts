/** Text that precedes the scripts of tasks: the head of a task's string. */
export const HEAD = `
-- A task is one string of lines: its head, its document, and one line for each entry that was written to its ledger.
--
-- The head has the same length in every task, so it is read and written without the rest. Numbers have leading zeros.
--   1-4      format: T002
--   5-14     version
--   15-30    operation that wrote the version
--   31-46    operation that created the task
--   47-59    created, ms
--   60-72    changed last, ms
--   73-88    deadline, ms; blank for none
--   89-100   stamp of the run that holds the task; ------------ for none
--   101-109  bytes of the document's line, the blanks that fill it included
--   110-118  bytes of document and entries before encryption
--   119      end of the line

local HEAD = 119
local FORMAT = 'T002'
local NO_RUN = '------------'

-- Replies the head; '' if there is no task; nil and the error if another type is stored here.
local function head_of(key)
  local head = redis.pcall('GETRANGE', key, 0, HEAD - 1)
  if type(head) == 'table' then return nil, head end
  return head
end

-- Says the new version of a task on its channel. Where the channel is denied, the write stands without it.
local function announce(key, version)
  redis.pcall('PUBLISH', key .. ':c', whole(version))
end

local function is_known(head)
  return #head == HEAD and string.sub(head, 1, 4) == FORMAT
end

local function deadline_of(head)
  local deadline = string.sub(head, 73, 88)
  return tonumber(deadline) and deadline or ''
end

local function head_with(version, op, birth, created, updated, deadline, run, line, size)
  local until_when = deadline == '' and string.rep(' ', 16) or string.format('%016.0f', tonumber(deadline))
  return FORMAT .. string.format('%010.0f', version) .. op .. birth .. string.format('%013.0f%013.0f', created, updated) .. until_when .. run
    .. string.format('%09.0f%09.0f', line, size) .. '\\n'
end
`;
