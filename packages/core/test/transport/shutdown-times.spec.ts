import { EnvironmentValueResolver, McpDefinitionsError, type McpShutdownOptions } from '@mocapi/core';
import { resolveMcpOptions } from '../../src/options/resolve-mcp-options.js';
import { SHUTDOWN_TIMES } from '../../src/transport/streamable-http/closing-notice.js';

const timesOf = (shutdown?: McpShutdownOptions) =>
  resolveMcpOptions({ name: 'ending', version: '1', ...(shutdown && { shutdown }) }, new EnvironmentValueResolver()).shutdown;

describe('how an endpoint ends', () => {
  it('is by default as for one that is put on Fastify by hand', () => {
    expect(timesOf()).toEqual({ noticeMs: 500, drainMs: 2_000 });
    expect(timesOf()).toEqual(SHUTDOWN_TIMES);
  });

  it('may be said in part, in words or milliseconds, and may be at once', () => {
    expect(timesOf({ notice: 'PT1S' })).toEqual({ noticeMs: 1_000, drainMs: 2_000 });
    expect(timesOf({ notice: 0, drain: 0 })).toEqual({ noticeMs: 0, drainMs: 0 });
  });

  it('is a fault of the options where it is no time, and all are told', () => {
    expect.assertions(1);
    try {
      timesOf({ notice: 'soon', drain: -1 });
    } catch (error) {
      expect((error as McpDefinitionsError).faults.map(({ where }) => where)).toEqual([
        'McpModule shutdown.notice',
        'McpModule shutdown.drain',
      ]);
    }
  });
});
