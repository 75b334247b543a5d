import { FakeClock } from '@mocapi/testing';

describe('FakeClock', () => {
  it('stands still until it is moved', async () => {
    const clock = new FakeClock(1000);
    expect(clock.now()).toBe(1000);
    await clock.advance(5);
    expect(clock.now()).toBe(1005);
  });

  it('fires what falls due in the order of time, each at its own instant', async () => {
    const clock = new FakeClock(0);
    const fired: [string, number][] = [];
    clock.setTimer(() => fired.push(['late', clock.now()]), 20);
    clock.setTimer(() => fired.push(['early', clock.now()]), 10);
    clock.setTimer(() => fired.push(['early too', clock.now()]), 10);
    clock.setTimer(() => fired.push(['never', clock.now()]), 31);
    await clock.advance(30);
    expect(fired).toEqual([
      ['early', 10],
      ['early too', 10],
      ['late', 20],
    ]);
    expect(clock.pendingTimers).toBe(1);
  });

  it('lets what a timer sets going run before it moves on', async () => {
    const clock = new FakeClock(0);
    const fired: number[] = [];
    const beat = async () => {
      await Promise.resolve();
      fired.push(clock.now());
      clock.setTimer(() => void beat(), 10);
    };
    clock.setTimer(() => void beat(), 10);
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  it('does not fire a timer that was stopped', async () => {
    const clock = new FakeClock();
    const stop = clock.setTimer(() => expect('fired').toBe('stopped'), 10);
    stop();
    stop();
    await clock.advance(100);
    expect(clock.pendingTimers).toBe(0);
  });
});
