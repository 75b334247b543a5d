import { createHash } from 'node:crypto';
import { isTaskId, newTaskId, taskKeyOf } from '@mocapi/tasks';

const ID = 'A'.repeat(43);

describe('newTaskId', () => {
  it('makes ids of the right form, and never one twice', () => {
    const ids = Array.from({ length: 1000 }, newTaskId);
    expect(ids.every(isTaskId)).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });
});

describe('isTaskId', () => {
  it.each([
    ['A'.repeat(42)],
    ['A'.repeat(44)],
    [`${'A'.repeat(42)}=`],
    [`${'A'.repeat(42)}+`],
    [`${ID}\n`],
    [''],
    [null],
    [7],
    [[ID]],
    [{}],
  ])('refuses %j', (value) => {
    expect(isTaskId(value)).toBe(false);
  });
});

describe('taskKeyOf', () => {
  it('is the digest of domain, principal and task id, URL-safe and at most 64 characters', () => {
    const key = taskKeyOf({ id: 'alice' }, ID);
    expect(key).toBe(createHash('sha256').update(`mcp-task/1\0principal\0alice\0${ID}`).digest('base64url'));
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('depends on both principal and task id, and on nothing else of the principal', () => {
    const keys = [
      taskKeyOf({ id: 'alice' }, ID),
      taskKeyOf({ id: 'bob' }, ID),
      taskKeyOf({ id: 'alice' }, newTaskId()),
      taskKeyOf(undefined, ID),
    ];
    expect(new Set(keys).size).toBe(4);
    expect(taskKeyOf({ id: 'alice', claims: { a: 1 } } as { id: string }, ID)).toBe(keys[0]);
  });

  it('lets no principal reach an anonymous task', () => {
    const anonymous = taskKeyOf(undefined, ID);
    for (const id of ['anonymous', '\0', 'anonymous\0', '\0anonymous', 'undefined', ' ']) expect(taskKeyOf({ id }, ID)).not.toBe(anonymous);
  });

  it('keeps apart principals whose ids hold the separator', () => {
    expect(taskKeyOf({ id: 'a\0b' }, ID)).not.toBe(taskKeyOf({ id: 'a' }, ID));
  });

  it('of a principal without an id is none, also right after an anonymous caller asked for the same task', () => {
    taskKeyOf(undefined, ID);
    expect(() => taskKeyOf({ id: undefined } as never, ID)).toThrow(TypeError);
  });

  it('refuses an id that identifies nobody', () => {
    expect(() => taskKeyOf({ id: '' }, ID)).toThrow('non-empty');
    expect(() => taskKeyOf({ id: 'a\ud800' }, ID)).toThrow('well-formed');
    expect(() => taskKeyOf({ id: 7 as never }, ID)).toThrow('non-empty string');
    expect(taskKeyOf({ id: 'a😀' }, ID)).toHaveLength(43);
  });

  it('refuses what is no task id', () => {
    expect(() => taskKeyOf({ id: 'alice' }, 'task-1')).toThrow('Not a task id');
  });
});
