import { FakeClock } from '@mocapi/testing';
import { InProcessTaskExecutor } from '@mocapi/tasks';
import type { NodeMembership } from '../../src/nodes/node-membership.js';
import { RunCheck } from '../../src/attempts/run-check.js';
import { RunningAttempts } from '../../src/attempts/running-attempts.js';
import { deferred, turns } from '../e2e/support/flow.js';
import { WatchedStore } from '../e2e/support/watched-store.js';
import { attemptFixture, type AttemptFixture } from './attempts.js';

it('however many attempts are to be checked at once, sixteen records are read at the same time, and each is', async () => {
  const clock = new FakeClock();
  const store = new WatchedStore(clock);
  const running = new RunningAttempts({ executor: new InProcessTaskExecutor({ maxRunning: 1, maxQueued: 1 }), clock, abandonAfterMs: 1 });
  const check = new RunCheck({ store, clock, running, nodes: {} as NodeMembership });
  const fixtures: AttemptFixture[] = [];
  for (let count = 0; count < 50; count++) fixtures.push(await attemptFixture({ clock, store }));
  for (const { attempt } of fixtures) running.add(attempt);
  for (const { attempt } of fixtures) await store.delete(attempt.key);
  let reading = 0;
  let most = 0;
  const letGo = deferred();
  store.before = {
    get: async () => {
      most = Math.max(most, ++reading);
      await letGo.promise;
      reading -= 1;
    },
  };
  for (const { attempt } of fixtures) check.check(attempt.key);
  await turns(3);
  expect(most).toBe(16);
  letGo.resolve();
  await turns(20);
  expect([most, fixtures.filter(({ attempt }) => attempt.signal.reason === 'expired').length]).toEqual([16, 50]);
  for (const { attempt } of fixtures) running.ended(attempt);
  store.close();
});
