import { violationsIn } from './check-history.js';
import type { StoredTask } from './stored-tasks.js';
import type { Commit } from './write-history.js';

type State = Partial<Commit['record']>;

const run = (id: string, fence: number) => ({ owner: 'a', id, fence, attempt: 1 });

/** The writes of one task, from version 1 on. */
function writes(...states: readonly State[]): Commit[] {
  return states.map((state, index) => ({ key: 'task', version: index + 1, at: index, record: { status: 'working', ...state } }));
}

function stored(version: number): StoredTask[] {
  return [{ key: 'task', version, updatedAt: 0, record: {} as StoredTask['record'] }];
}

describe('the check of what was written', () => {
  const good = writes(
    { run: run('first', 1) },
    { status: 'input_required', inputRequests: { go: {} as never } },
    { run: run('second', 3) },
    { run: run('third', 4) },
    { status: 'completed' },
  );

  it('has nothing to say of a task that asks, is answered, taken over and completed', () => {
    expect(violationsIn(good, stored(5))).toEqual([]);
  });

  it.each([
    ['a second end', writes({}, { status: 'completed' }, { status: 'cancelled' }), 'I3/I4: cancelled was written after completed'],
    ['a write after the end', writes({ status: 'failed' }, { status: 'failed' }), 'I3/I4: failed was written after failed'],
    ['a fence that does not grow', writes({ run: run('first', 2) }, { run: run('second', 2) }), 'I6: fence 2 came after 2'],
    [
      'a run that comes back',
      writes({ run: run('first', 1) }, { run: run('second', 2) }, { run: run('first', 3) }),
      'I6: a run that had lost its task came back',
    ],
    [
      'a question that is asked again',
      writes({ inputRequests: { go: {} as never } }, {}, { inputRequests: { go: {} as never } }),
      'I7: "go" was asked again',
    ],
    ['a version that is left out', good.filter(({ version }) => version !== 2), 'I10: write 2 made version 3'],
  ])('finds %s', (_, commits, violation) => {
    expect(violationsIn(commits, [])).toContain(`task: ${violation}`);
  });

  it('finds a stored task that is not what was written last', () => {
    expect(violationsIn(good, stored(4))).toEqual(['task: I10: version 4 is stored, 5 was written last']);
  });

  it('tells the tasks apart', () => {
    const other = writes({}, { status: 'completed' }).map((commit) => ({ ...commit, key: 'other' }));
    expect(
      violationsIn(
        good.flatMap((commit, index) => [commit, ...other.slice(index, index + 1)]),
        stored(5),
      ),
    ).toEqual([]);
  });
});
