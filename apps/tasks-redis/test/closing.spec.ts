import { jest } from '@jest/globals';
import { Closing } from '../src/two-nodes/closing.js';

describe('what was started', () => {
  it('is ended once, the last first', async () => {
    const ended: string[] = [];
    const closing = new Closing();
    for (const name of ['redis', 'node', 'proxy']) closing.add(async () => void ended.push(name));
    await Promise.all([closing.close(), closing.close()]);
    expect(ended).toEqual(['proxy', 'node', 'redis']);
  });

  it('is ended all the same when a part of it can not be', async () => {
    const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const ended: string[] = [];
    const closing = new Closing();
    closing.add(async () => void ended.push('redis'));
    closing.add(() => Promise.reject(new Error('it hangs')));
    await closing.close();
    expect(ended).toEqual(['redis']);
    expect(told).toHaveBeenCalledWith(new Error('it hangs'));
    told.mockRestore();
  });

  it('is ended even when it was started while everything else ended', async () => {
    const ended: string[] = [];
    const closing = new Closing();
    closing.add(async () => {
      await Promise.resolve();
      closing.add(async () => void ended.push('late'));
      ended.push('early');
    });
    await closing.close();
    closing.add(async () => void ended.push('last'));
    await closing.close();
    expect(ended).toEqual(['early', 'late', 'last']);
  });
});
