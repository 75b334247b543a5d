import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { accept, createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { deferred, turns, type Deferred } from '../support/flow.js';
import { failOnUnhandledRejections, realProcess } from '../support/unhandled-rejections.js';

const ROOT = join(import.meta.dirname, '../..');

interface Ending {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
}

/** Runs a program of its own that may say `guard()`, `unwind()` and `later(f)`, and tells how it ended. */
async function run(program: string, { flags = [] }: { flags?: string[] } = {}): Promise<Ending> {
  const source = `
    const replay = './packages/core/src/replay/';
    const { guardUnwinding: guard } = await import(replay + 'unwinding-guard.ts');
    const { ExecutionOverError, InputRequiredSignal, unwindingScopes } = await import(replay + 'unwinding.ts');
    const unwind = () => { Promise.reject(new InputRequiredSignal()); Promise.reject(new ExecutionOverError()); };
    // Node tells of an unhandled rejection before the next turn of the event loop.
    const later = (run) => setImmediate(() => setImmediate(run));
    ${program}`;
  const args = ['--conditions=@mocapi/source', '--import', './tools/register.mjs', ...flags, '--input-type=module', '-e', source];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code as number | null, stdout, stderr: stderr.replaceAll(/node:\d+/g, 'node:pid') };
}

describe('what unwinds a handler', () => {
  it('ends no process while the guard holds, not even one whose own listener ends it, which hears of everything else', async () => {
    const endsItself = "process.on('unhandledRejection', (reason) => { console.log(String(reason)); process.exit(7); });";
    const [alone, listening, foreign] = await Promise.all([
      run('guard(); unwind(); later(() => console.log("alive"));'),
      run(`${endsItself} guard(); unwind(); later(() => console.log("alive"));`),
      run(`${endsItself} guard(); unwind(); Promise.reject(new Error("foreign"));`),
    ]);
    const unharmed = { code: 0, stdout: 'alive\n', stderr: '' };
    expect([alone, listening]).toEqual([unharmed, unharmed]);
    expect(foreign).toEqual({ code: 7, stdout: 'Error: foreign\n', stderr: '' });
  }, 30_000);

  it('ends no process that takes every rejection for an exception either', async () => {
    const flags = ['--unhandled-rejections=strict'];
    const monitored = "process.on('uncaughtExceptionMonitor', (error) => console.log(String(error)));";
    const [unwound, foreign] = await Promise.all([
      run(`${monitored} guard(); unwind(); later(() => console.log("alive"));`, { flags }),
      run(`${monitored} guard(); unwind(); later(() => { throw new InputRequiredSignal(); });`, { flags }),
    ]);
    expect(unwound).toEqual({ code: 0, stdout: 'alive\n', stderr: '' });
    expect(foreign).toMatchObject({ code: 1, stdout: expect.stringContaining('The execution ends here') as string });
  }, 30_000);

  it('ends no process by what a suspended handler makes of it, and as ever by what any other does', async () => {
    const scoped = (scope: string) => `
      guard();
      unwindingScopes.run(${scope}, async () => { await null; throw new Error("own"); });
      later(() => console.log("alive"));`;
    const [suspended, running] = await Promise.all([run(scoped('{ drop: (reason) => console.log(String(reason)) }')), run(scoped('{}'))]);
    expect(suspended).toEqual({ code: 0, stdout: 'Error: own\nalive\n', stderr: '' });
    expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('own') as string });
  }, 30_000);

  it('ends the process as ever once the guard was released as often as it was taken, whichever copy of the package took it', async () => {
    const copies = `const { guardUnwinding: copied } = await import(replay + 'unwinding-guard.ts#copy.ts');
      if (copied === guard) throw new Error('no copy');
      const before = process.emit; const releases = [guard(), copied(), guard()];`;
    const [held, released] = await Promise.all([
      run(`${copies} releases[0](); releases[0](); releases[1](); unwind(); later(() => console.log("alive"));`),
      run(`${copies} for (const release of releases) release(); console.log(process.emit === before); unwind();`),
    ]);
    expect(held).toEqual({ code: 0, stdout: 'alive\n', stderr: '' });
    expect(released).toMatchObject({ code: 1, stdout: 'true\n', stderr: expect.stringContaining('InputRequiredSignal') });
  }, 30_000);

  it('is guarded again after somebody has wrapped the guard, and never twice', async () => {
    const { code, stdout } = await run(`
      const release = guard();
      const inner = process.emit;
      const wrapped = process.emit = function (...args) { return inner.apply(this, args); };
      release();
      guard();
      console.log(process.emit === wrapped);
      unwind();
      later(() => console.log("alive"));`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'true\nalive\n' });
  }, 30_000);

  it.each(['throw', 'warn', 'none', 'strict', 'warn-with-error-code'])(
    'leaves every other rejection to Node, under --unhandled-rejections=%s',
    async (mode) => {
      const flags = [`--unhandled-rejections=${mode}`];
      // The two sources are of one length, so that what Node prints is comparable.
      const programs = ['new Error("foreign")', '"text"', 'Object.freeze({})'].map(
        (reason) => (first: string) => `${first}
        Promise.reject(${reason}); later(() => console.log("alive"));`,
      );
      const endings = await Promise.all(
        programs.flatMap((program) => [run(program('guard();'), { flags }), run(program('void(0);'), { flags })]),
      );
      for (let index = 0; index < endings.length; index += 2) expect(endings[index]).toEqual(endings[index + 1]);
      expect(endings[0]!.code).toBe(mode === 'warn' || mode === 'none' ? 0 : 1);
      expect(endings[0]!.stderr.includes('foreign')).toBe(mode !== 'none');
    },
    60_000,
  );
});

const QUESTION = { message: 'Who?', schema: z.object({ name: z.string().refine((name) => name !== 'nobody', 'is nobody') }) };

let cleanedUp = 0;

@Injectable()
class Tools {
  @McpTool({ description: 'Awaits a helper that asks only after it was rejected' })
  async later(@McpContext() ctx: McpToolContext): Promise<string> {
    const unwound = deferred();
    const answer = this.ask(ctx, unwound);
    await unwound.promise;
    // As long as it takes until a rejection counts as unhandled.
    await turns();
    return answer;
  }

  @McpTool({ description: 'Asks twice, and awaits the second branch only after cleaning up for longer than any grace' })
  async twice(@McpContext() ctx: McpToolContext): Promise<string> {
    const [first, second] = [deferred(), deferred()];
    const answers = [this.wrapped(ctx, 'a', first), this.wrapped(ctx, 'b', second)];
    try {
      await answers[0];
    } finally {
      await Promise.all([first.promise, second.promise]);
      await turns();
      cleanedUp += 1;
    }
    return answers[1]!;
  }

  /** A branch that makes an error of its own of whatever ends it. */
  private async wrapped(ctx: McpToolContext, key: string, unwound: Deferred): Promise<string> {
    try {
      return (await ctx.elicit(key, QUESTION)).action;
    } catch {
      setImmediate(() => unwound.resolve());
      throw new Error(`could not ask for ${key}`);
    }
  }

  private async ask(ctx: McpToolContext, unwound: Deferred): Promise<string> {
    try {
      return (await ctx.elicit('name', QUESTION)).action;
    } finally {
      unwound.resolve();
    }
  }
}

describe('a body that awaits an async helper only after other work', () => {
  failOnUnhandledRejections();

  let testing: McpTestingApp;

  beforeEach(async () => {
    testing = await createMcpTestingApp({ providers: [Tools] });
  });

  afterEach(() => testing.close());

  it('does not end the process when the helper asks', async () => {
    expect((await testing.client().callTool('later')).result?.resultType).toBe('input_required');
  });

  it('does not end the process when the client cannot be asked', async () => {
    expect((await testing.client({ capabilities: {} }).callTool('later')).error?.code).toBe(-32_021);
  });

  it('does not end the process when the answer is none that the schema takes', async () => {
    const { result } = await testing.client().callTool('later', {}, { inputResponses: { name: accept({ name: 'nobody' }) } });
    expect(result?.isError).toBe(true);
  });

  it('does not end the process by an error of its own that it makes of the suspension, however long it cleans up', async () => {
    expect((await testing.client().callTool('twice')).result?.resultType).toBe('input_required');
    expect(cleanedUp).toBe(1);
  });

  it('leaves the process as it found it', async () => {
    await testing.close();
    const afterwards = realProcess.emit;
    const again = await createMcpTestingApp({ providers: [Tools] });
    expect(realProcess.emit).not.toBe(afterwards);
    await again.close();
    expect(realProcess.emit).toBe(afterwards);
  });
});
