import {
  cancelled,
  completed,
  InMemoryTaskStore,
  isTerminal,
  type TaskKey,
  type TaskMutation,
  type TaskRecord,
  TaskStore,
} from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { isSound, judgeHistory } from './judge-history.js';
import { marked } from './marks.js';
import { StoreHistory } from './store-history.js';

/** A store that keeps its promises, but for the one that a test breaks. */
class BrokenStore extends TaskStore {
  private readonly inner = new InMemoryTaskStore(new FakeClock());
  /** What becomes of a record on its way to a caller. */
  told = (record: TaskRecord | undefined): TaskRecord | undefined => record;
  /** What is done after an update was told. */
  afterwards: (key: TaskKey) => Promise<unknown> = async () => undefined;

  create = this.inner.create.bind(this.inner);
  get = this.inner.get.bind(this.inner);
  delete = this.inner.delete.bind(this.inner);
  change = this.inner.update.bind(this.inner);

  async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const record = await this.change(key, mutate);
    await this.afterwards(key);
    return this.told(record);
  }
}

describe('the judgement of a history', () => {
  let store: BrokenStore;
  let history: StoreHistory;
  let key: TaskKey;
  const write = (mark: string, change: TaskMutation = (record) => marked(record, mark)) => history.write(store, { key, mark }, change);
  const verdict = () => judgeHistory(history, store);

  beforeEach(async () => {
    store = new BrokenStore();
    history = new StoreHistory();
    ({ key } = await history.create(store));
    await write('first');
  });

  it('is sound where every caller was told what is', async () => {
    await write('fence 1:late');
    await write('claim:1');
    await write('no effect', (record) => record);
    await write('end', (record) => cancelled(marked(record, 'end')));
    await write('too late');
    const { broken, ...sums } = await verdict();
    expect(broken).toEqual([]);
    expect(sums).toEqual({ acknowledged: 5, unknown: 0, lost: [], doubled: 0 });
  });

  it('counts what was acknowledged and is not there, a whole task as well', async () => {
    store.afterwards = (changed) =>
      store.change(changed, (record) => ({ ...record, ledger: record.ledger.filter(({ key: name }) => !name.startsWith('gone')) }));
    await write('gone');
    expect((await verdict()).lost).toEqual([expect.objectContaining({ mark: 'gone' })]);
    await store.delete(key);
    expect((await verdict()).lost.map(({ kind }) => kind)).toEqual(['create', 'write', 'write']);
    expect(isSound(await verdict())).toBe(false);
  });

  it('counts what is there twice', async () => {
    store.afterwards = (changed) => store.change(changed, (record) => marked(record, 'twice'));
    await write('twice');
    expect(await verdict()).toMatchObject({ doubled: 1, lost: [] });
    expect(isSound(await verdict())).toBe(false);
  });

  it('names a write that its caller was told had no effect, and that is there', async () => {
    store.told = (record) => record && { ...record, ledger: [] };
    await write('hidden');
    expect((await verdict()).broken).toContain('hidden was lost, and is there');
  });

  it('leaves it open what became of a write that failed, and counts it', async () => {
    store.told = () => {
      throw new Error('no reply');
    };
    await write('unknown');
    const judged = await verdict();
    expect(judged).toMatchObject({ unknown: 1, lost: [], broken: [] });
    expect(isSound(judged)).toBe(true);
  });

  it('names a version that no write made', async () => {
    store.afterwards = (changed) => store.change(changed, (record) => ({ ...record, statusMessage: 'by nobody' }));
    await write('second');
    await write('third');
    expect((await verdict()).broken).toContain('I10: third made version 5 out of turn');
  });

  it('names a version in which two different tasks were seen', async () => {
    store.told = (record) => record && { ...record, lastUpdatedAt: 1 };
    await write('no effect', (record) => record);
    expect((await verdict()).broken).toEqual([expect.stringContaining('I10: one version was')]);
  });

  it('names a write under a fence that was not the newest', async () => {
    await write('claim:1');
    await write('fence 1:late');
    expect((await verdict()).broken).toEqual(['I6: fence 1:late was written under fence 3']);
  });

  it('names an end that was not the only one', async () => {
    await write('end', (record) => completed(marked(record, 'end'), { resultType: 'complete', content: [] }));
    await store.change(key, (record) => ({ ...record, statusMessage: isTerminal(record.status) ? 'changed' : 'open' }));
    expect((await verdict()).broken).toEqual(expect.arrayContaining([expect.stringMatching(/^I3\/I4: it was told as completed/)]));
  });
});
