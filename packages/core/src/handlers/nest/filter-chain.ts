import { IntrinsicException, Logger } from '@nestjs/common';
import type { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import type { ContextType } from '../../dispatch/exchange.js';
import { describeThrown } from '../../errors/thrown.js';
import { McpToolError } from '../../errors/mcp-tool.error.js';
import { McpError } from '../../errors/mcp.error.js';
import { httpBodyMessage, isHttpError } from '../failure/error-message.js';
import { RecordedHttpError, unlessAnswered } from '../response/answered-response.js';
import { enhancerInForce, type HandlerHost, type HostInstance } from './handler-host.js';
import { NestKey, caughtBy, enhancersOn, methodOf, type MethodRef } from '../../nest/metadata.js';
import type { FilterAnswer } from '../run/prepared-handler.js';
import type { ResponseFacade } from '../response/response-facade.js';

/** Where the filters run: the same arguments and host as the failed pipeline. */
export interface FilterContext {
  readonly args: readonly unknown[];
  readonly response: ResponseFacade;
  readonly type: ContextType;
  readonly host: HostInstance;
  readonly inquirerId: string | undefined;
}

type Rethrow = (...args: unknown[]) => Promise<unknown>;

/** A handler's exception filters, apart from its pipeline: a second Nest context that is built on the first real failure. */
export class FilterChain {
  private readonly logger = new Logger('McpFilters');
  private readonly fixed = new Map<ContextType, Rethrow>();

  private readonly host: HandlerHost;
  private readonly ref: MethodRef;
  private readonly config: ApplicationConfig;

  constructor(
    private readonly creator: ExternalContextCreator,
    { host, ref, config }: { host: HandlerHost; ref: MethodRef; config: ApplicationConfig },
  ) {
    this.host = host;
    this.ref = ref;
    this.config = config;
  }

  /**
   * The answer of the filter that catches `error`: what it threw, the value it returned, or the HTTP response it gave, which is never sent as HTTP.
   * An HTTP error without a message, such as the one that Nest's documentation shows, leaves the original error as it is.
   */
  async apply(error: unknown, context: FilterContext): Promise<FilterAnswer> {
    if (!this.catches(error)) return { kind: 'none', logged: false };
    const rethrow = context.host.contextId ? this.create(context) : this.fixedFor(context);
    let logged = false;
    try {
      // A filter for HTTP that has answered may never settle.
      const value = await unlessAnswered(rethrow(...context.args, error), context.response);
      // A filter for HTTP may return the response that it answered by.
      if (value !== undefined && value !== context.response) return { kind: 'value', value };
    } catch (thrown) {
      if (thrown !== error) return this.thrownByFilter(thrown, error);
      logged = isLoggedByNest(error);
    }
    return recordedAnswer(context.response) ?? { kind: 'none', logged };
  }

  private fixedFor(context: FilterContext): Rethrow {
    const made = this.fixed.get(context.type) ?? this.create(context);
    this.fixed.set(context.type, made);
    return made;
  }

  private thrownByFilter(thrown: unknown, original: unknown): FilterAnswer {
    // A translated error is meant; anything else is a defect of the filter, behind which the first error must not vanish from the log.
    if (!(thrown instanceof McpError || thrown instanceof McpToolError || isHttpError(thrown))) {
      const where = `${this.ref.classRef.name}.${this.ref.methodName}`;
      this.logger.warn(`A filter of ${where} failed with ${nameOf(thrown)} while it handled:`, describeThrown(original));
    }
    return { kind: 'error', error: thrown };
  }

  private create({ host, inquirerId, type }: FilterContext): Rethrow {
    const method = methodOf(this.ref);
    // Nest reads filters from the callback's metadata, which is found along its prototype chain.
    const rethrow = Object.setPrototypeOf(function rethrow(...args: unknown[]) {
      throw args.at(-1);
    }, method) as (...args: unknown[]) => unknown;
    const options = { guards: false, interceptors: false, filters: true };
    const { methodName } = this.ref;
    return this.creator.create(
      host.instance,
      rethrow,
      methodName,
      undefined,
      undefined,
      host.contextId,
      inquirerId,
      options,
      type as never,
    );
  }

  private catches(error: unknown): boolean {
    return this.filtersInForce().some((filter) => {
      const caught = caughtBy(filter);
      return caught.length === 0 || caught.some((type) => typeof type === 'function' && error instanceof type);
    });
  }

  private filtersInForce(): object[] {
    const own = [this.ref.classRef, methodOf(this.ref)].flatMap((target) => enhancersOn(target, NestKey.Filters));
    const scoped = this.config.getGlobalRequestFilters().map((wrapper) => wrapper.metatype as object);
    // A test may have put another filter in the place of a class.
    const inForce = own.map((filter) => enhancerInForce(this.host, filter) as object);
    return [...inForce, ...scoped, ...this.config.getGlobalFilters()].map((filter) =>
      typeof filter === 'function' ? filter : filter.constructor,
    );
  }
}

function recordedAnswer({ recorded }: ResponseFacade): FilterAnswer | undefined {
  if (!recorded) return undefined;
  if (recorded.status < 400) return { kind: 'value', value: recorded.body };
  if (httpBodyMessage(recorded.body) === undefined) return undefined;
  return { kind: 'error', error: new RecordedHttpError(recorded.status, recorded.body) };
}

/** An error that no filter turned into anything Nest logs with its stack, unless it is of a kind that Nest never logs. */
function isLoggedByNest(error: unknown): boolean {
  return error instanceof Error && !(error instanceof IntrinsicException);
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.constructor.name : typeof thrown;
}
