import { jest } from '@jest/globals';
import { PacedSink } from '../../src/methods/paced-sink.js';
import type { NotificationMessage } from '../../src/protocol/messages.js';

const progress = (value: number): NotificationMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 'p', progress: value },
});
const log: NotificationMessage = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };

describe('paced notifications', () => {
  let sent: unknown[];
  let sink: PacedSink;
  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    const started = Date.now();
    const to = { notify: ({ params }: NotificationMessage) => void sent.push(params?.progress ?? 'log') };
    sink = new PacedSink(to, { perSecond: 10, burst: 2 }, () => Date.now() - started);
  });
  afterEach(() => jest.useRealTimers());

  it('send the latest progress when the rate allows it, and drop logs beyond it', () => {
    for (let value = 1; value <= 5; value++) sink.notify(progress(value));
    sink.notify(log);
    expect(sent).toEqual([1, 2]);
    jest.advanceTimersByTime(100);
    expect(sent).toEqual([1, 2, 5]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('send what waits at the end, once, and leave no timer', () => {
    for (let value = 1; value <= 3; value++) sink.notify(progress(value));
    sink.end();
    expect([sent, jest.getTimerCount()]).toEqual([[1, 2, 3], 0]);
    jest.advanceTimersByTime(1_000);
    expect(sent).toEqual([1, 2, 3]);
  });

  it('set no timer for a call that stays within the rate', () => {
    sink.notify(progress(1));
    sink.notify(log);
    sink.end();
    expect([sent, jest.getTimerCount()]).toEqual([[1, 'log'], 0]);
  });
});
