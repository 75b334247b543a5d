import { setImmediate } from 'node:timers/promises';
import {
  BadRequestException,
  Catch,
  ConflictException,
  HttpException,
  Inject,
  Injectable,
  InternalServerErrorException,
  NotFoundException,
  Scope,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
  type Type,
} from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost, REQUEST } from '@nestjs/core';
import { McpToolError } from '@mocapi/core';
import { IsOptional, IsString } from 'class-validator';
import { spy } from '../model/journal.js';
import { values, type Group, type Row } from '../model/row.js';

class WordDto {
  @IsOptional()
  @IsString()
  word?: string;
}

class OrderClosedError extends Error {
  constructor(readonly order = 17) {
    super(`Order ${order} is closed`);
  }
}

class StockError extends Error {}

interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body?: unknown): unknown;
}

const replyOf = (host: ArgumentsHost): Reply => host.switchToHttp().getResponse();
const statusOf = (error: unknown): number => (error instanceof HttpException ? error.getStatus() : 500);

/** A filter as a class of its own. @param types what it catches; nothing: everything */
function filter(
  name: string,
  types: Parameters<typeof Catch>,
  handle: (error: never, host: ArgumentsHost) => unknown,
): Type<ExceptionFilter> {
  @Catch(...types)
  class MadeFilter implements ExceptionFilter {
    catch(error: unknown, host: ArgumentsHost): unknown {
      spy(`after, filter ${name}`);
      return handle(error as never, host);
    }
  }
  return MadeFilter;
}

/** Nest's documentation, "Catch everything". */
@Catch()
export class CatchEverythingFilter implements ExceptionFilter {
  constructor(@Inject(HttpAdapterHost) private readonly httpAdapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    spy('after, filter catch everything');
    const { httpAdapter } = this.httpAdapterHost;
    const context = host.switchToHttp();
    const body = { statusCode: statusOf(exception), timestamp: 'now', path: 'here' };
    httpAdapter.reply(context.getResponse(), body, statusOf(exception));
  }
}

/** Nest's documentation, "Inheritance". */
@Catch()
export class InheritedFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    spy('after, filter inherited');
    // It is the filter's method, no promise's.
    // eslint-disable-next-line promise/valid-params
    super.catch(exception, host);
  }
}

/** Nest's documentation, "Exception filters". */
const HttpExceptionFilter = filter('http', [HttpException], (error: HttpException, host) =>
  replyOf(host).status(error.getStatus()).send({ statusCode: error.getStatus(), timestamp: 'now', path: 'here' }),
);
const ConflictFilter = filter('conflict', [OrderClosedError], (error: Error, host) =>
  replyOf(host).status(409).send({ statusCode: 409, message: error.message }),
);
const SeveralFilter = filter('several', [OrderClosedError, StockError], (error: Error, host) =>
  replyOf(host)
    .status(422)
    .send({ message: [error.message, 'Try another'] }),
);
const ThrowingFilter = filter('throwing', [OrderClosedError], (error: Error) => {
  throw new ConflictException(error.message);
});
const RethrowingFilter = filter('rethrowing', [HttpException], (error: HttpException) => {
  throw error;
});
const HeaderFilter = filter('header', [OrderClosedError], (error: Error, host) =>
  replyOf(host).status(429).header('Retry-After', '30').send({ message: error.message }),
);
const BareFilter = filter('bare', [OrderClosedError], (_error, host) => replyOf(host).status(409).send());
const TextFilter = filter('text', [OrderClosedError], (error: Error, host) => replyOf(host).status(409).send(`Sorry: ${error.message}`));
const DetailFilter = filter('detail', [OrderClosedError], (error: OrderClosedError, host) =>
  replyOf(host)
    .status(409)
    .send({ code: 'ORDER_CLOSED', detail: `order ${error.order}` }),
);
const KindFilter = filter('kind', [OrderClosedError], (_error, host) => replyOf(host).status(200).send('nothing to do'));
const LateFilter = filter('late', [OrderClosedError], async (error: Error, host) => {
  await setImmediate();
  replyOf(host).status(409).send({ message: error.message });
});
const ReshapingFilter = filter('reshaping', [BadRequestException], (error: BadRequestException, host) => {
  const { message } = error.getResponse() as { message: unknown };
  replyOf(host)
    .status(422)
    .send({ message, errors: [message].flat().length });
});
const OtherFilter = filter('other', [StockError], (_error, host) => replyOf(host).status(418).send({ message: 'not mine' }));

@Injectable({ scope: Scope.REQUEST })
@Catch(OrderClosedError)
class ScopedFilter implements ExceptionFilter {
  constructor(@Inject(REQUEST) private readonly request: unknown) {}

  catch(error: Error, host: ArgumentsHost): void {
    spy(`after, request-scoped filter, ${this.request === host.switchToHttp().getRequest()}`);
    replyOf(host).status(409).send({ message: error.message });
  }
}

const throws = (make: () => unknown) => (): never => {
  throw make();
};
const closed = throws(() => new OrderClosedError());
const once = values({ valid: { word: 'a' } });

const filtered = (name: string, filters: Parameters<typeof UseFilters>, more: Partial<Row> = {}): Row => ({
  name,
  type: WordDto,
  inputs: once,
  enhancers: { onClass: [UseFilters(...filters)] },
  body: closed,
  ...more,
});

const toolError = 'Order 17 is closed: use reopen_order first';
const missing = { body: throws(() => new NotFoundException('No order 17')), original: 'No order 17' };

/** Filters of classes and methods. */
export const filters: Group = {
  name: 'filters of classes and methods',
  rows: [
    filtered('catch everything', [CatchEverythingFilter], { original: 'Internal error' }),
    filtered('catch everything, of an HttpException', [CatchEverythingFilter], missing),
    filtered('catch everything, of an McpToolError', [CatchEverythingFilter], {
      body: throws(() => new McpToolError(toolError)),
      original: toolError,
    }),
    filtered('catch everything, of a refused argument', [CatchEverythingFilter], {
      inputs: values({ wrong: { word: 5 } }),
      original: 'word must be a string',
    }),
    filtered('an heir of BaseExceptionFilter', [InheritedFilter]),
    filtered('an heir of BaseExceptionFilter, of an HttpException', [InheritedFilter], missing),
    filtered('an heir of BaseExceptionFilter, of an McpToolError', [InheritedFilter], {
      body: throws(() => new McpToolError(toolError)),
      original: toolError,
    }),
    filtered('HttpException', [HttpExceptionFilter], missing),
    filtered('HttpException, of another error', [HttpExceptionFilter]),
    filtered('an own error', [ConflictFilter]),
    filtered('several errors', [SeveralFilter], { body: throws(() => new StockError('Out of stock')) }),
    filtered('throws another error', [ThrowingFilter]),
    filtered('throws the same error', [RethrowingFilter], { body: throws(() => new ConflictException('Closed')) }),
    filtered('sets a header', [HeaderFilter]),
    filtered('answers nothing', [BareFilter], { original: 'Internal error' }),
    filtered('answers a text', [TextFilter]),
    filtered('answers without a message', [DetailFilter], { original: 'Internal error' }),
    filtered('answers 200', [KindFilter]),
    filtered('a promise', [LateFilter]),
    filtered('a refused argument', [ReshapingFilter], { inputs: values({ wrong: { word: 5 } }) }),
    filtered('of another error', [OtherFilter]),
    filtered('request-scoped', [ScopedFilter]),
    filtered('an instance', [new ConflictFilter()]),
    { ...filtered('of the method', []), enhancers: { onMethod: [UseFilters(ConflictFilter)] } },
    {
      ...filtered('of the method before that of the class', []),
      enhancers: { onClass: [UseFilters(CatchEverythingFilter)], onMethod: [UseFilters(ConflictFilter)] },
    },
  ],
};

const plain = (name: string, body: Row['body'], original?: string): Row => ({
  name,
  type: WordDto,
  inputs: once,
  body: body!,
  ...(original !== undefined && { original }),
});

/** Errors of handlers that have no filter, and then meet a filter of the whole application. */
export const errors: Group = {
  name: 'errors',
  rows: [
    plain(
      'an error',
      throws(() => new Error('secret')),
    ),
    plain(
      'no error at all',
      throws(() => 'secret'),
    ),
    plain(
      'a text',
      throws(() => new BadRequestException('No such word')),
    ),
    plain(
      'a list of texts',
      throws(() => new BadRequestException(['One', 'Two'])),
    ),
    plain(
      'a list of objects',
      throws(() => new BadRequestException([{ field: 'name', errors: ['One'] }])),
    ),
    plain(
      'an object without a message',
      throws(() => new HttpException({ code: 'ORDER_CLOSED', detail: 'order 17' }, 409)),
      '{"code":"ORDER_CLOSED","detail":"order 17"}',
    ),
    plain(
      'a text alone',
      throws(() => new HttpException('Gone', 410)),
    ),
    plain(
      'no text',
      throws(() => new ConflictException()),
    ),
    plain(
      'not found',
      throws(() => new NotFoundException('No order 17')),
    ),
    plain(
      '503 with a text',
      throws(() => new HttpException('Down for an hour', 503)),
    ),
    plain(
      '500 with a text',
      throws(() => new InternalServerErrorException('The printer is on fire')),
    ),
    plain(
      'an McpToolError',
      throws(() => new McpToolError(toolError)),
      toolError,
    ),
    { name: 'a refused argument', type: WordDto, inputs: values({ wrong: { word: 5 } }) },
  ],
};

/** The same errors, for filters that answer without their messages. */
export const untoldErrors: Group = {
  name: 'errors without a message',
  rows: [
    plain(
      'an error',
      throws(() => new Error('secret')),
      'Internal error',
    ),
    plain(
      'a text',
      throws(() => new BadRequestException('No such word')),
      'No such word',
    ),
    plain(
      'not found',
      throws(() => new NotFoundException('No order 17')),
      'No order 17',
    ),
    plain(
      'an McpToolError',
      throws(() => new McpToolError(toolError)),
      toolError,
    ),
    { name: 'a refused argument', type: WordDto, inputs: values({ wrong: { word: 5 } }), original: 'word must be a string' },
  ],
};
