import {
  BadGatewayException,
  ClassSerializerInterceptor,
  ForbiddenException,
  Inject,
  Injectable,
  RequestTimeoutException,
  Scope,
  SerializeOptions,
  UnauthorizedException,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsOptional, IsString } from 'class-validator';
import { catchError, concat, from, map, of, tap, throwError, timeout, TimeoutError, type Observable } from 'rxjs';
import { spy } from '../model/journal.js';
import { values, type Group, type Row } from '../model/row.js';

class WordDto {
  @IsOptional()
  @IsString()
  word?: string;
}

/** An interceptor as a class of its own. */
function interceptor(
  name: string,
  intercept: (context: ExecutionContext, next: CallHandler) => Observable<unknown>,
): Type<NestInterceptor> {
  @Injectable()
  class MadeInterceptor implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      spy(`interceptor ${name}`, context);
      return intercept(context, next);
    }
  }
  return MadeInterceptor;
}

const around = (name: string) => interceptor(name, (_context, next) => next.handle().pipe(tap(() => spy(`after ${name}`))));
const replyOf = (context: ExecutionContext): { header(name: string, value: string): void } => context.switchToHttp().getResponse();

const Audit = interceptor('audit', (context, next) => {
  if (context.getType() === 'http') spy('audited');
  return next.handle();
});
const Tenant = interceptor('tenant', (context, next) => {
  if (context.getType() !== 'http') return next.handle();
  const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
  if (headers['x-tenant'] === undefined) throw new UnauthorizedException('No tenant');
  return next.handle();
});
const Patience = interceptor('timeout', (_context, next) =>
  next.handle().pipe(
    timeout(50),
    catchError((error: unknown) => throwError(() => (error instanceof TimeoutError ? new RequestTimeoutException('Too slow') : error))),
  ),
);
const Transaction = interceptor('transaction', (_context, next) => {
  spy('begin');
  return next.handle().pipe(
    tap(() => spy('after commit')),
    catchError((error: unknown) => {
      spy('after rollback');
      return throwError(() => error);
    }),
  );
});
const Early = interceptor('early header', (context, next) => {
  replyOf(context).header('X-Request-Cost', '3');
  return next.handle();
});
const Late = interceptor('late header', (context, next) => next.handle().pipe(tap(() => replyOf(context).header('X-Row-Count', '1'))));
const Etag = interceptor('etag', (context, next) => next.handle().pipe(tap(() => replyOf(context).header('ETag', '"1"'))));
const Mapped = interceptor('mapping', (_context, next) => next.handle().pipe(map((data: unknown) => ({ data }))));
const Shout = interceptor('shouting', (_context, next) => next.handle().pipe(map((text) => String(text).toUpperCase())));
const NoNull = interceptor('no null', (_context, next) => next.handle().pipe(map((value: unknown) => value ?? '')));
const Translate = interceptor('errors', (_context, next) =>
  next.handle().pipe(catchError(() => throwError(() => new BadGatewayException('Try later')))),
);
const Rescue = interceptor('rescue', (_context, next) => next.handle().pipe(catchError(() => of('rescued'))));
const Cached = interceptor('cache', () => of('from the cache'));
const Refusing = interceptor('refusing', () => {
  throw new ForbiddenException('Not today');
});
const Last = interceptor('many values', (_context, next) => concat(from(['first', 'second']), next.handle()));
const Waiting = interceptor('waiting', (_context, next) => from(Promise.resolve()).pipe(() => next.handle()));

@Injectable({ scope: Scope.REQUEST })
class ScopedInterceptor implements NestInterceptor {
  constructor(@Inject(REQUEST) private readonly request: unknown) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    spy(`request-scoped interceptor, ${this.request === context.switchToHttp().getRequest()}`);
    return next.handle();
  }
}

class UserEntity {
  id = 7;

  @Exclude()
  password = 'secret';

  @Expose({ name: 'full_name' })
  name = 'Ada';

  @Expose({ groups: ['admin'] })
  email = 'a@b.io';

  @Transform(({ value }: { value: Date }) => value.getTime())
  born = new Date(0);
}

const inputs = values({ valid: { word: 'a' }, wrong: { word: 5 } });

const intercepted = (name: string, interceptors: readonly Type<NestInterceptor>[], more: Partial<Row> = {}): Row => ({
  name,
  type: WordDto,
  inputs,
  enhancers: { onClass: [UseInterceptors(...interceptors)] },
  ...more,
});

const fails = (error: () => Error) => (): never => {
  throw error();
};

/** Longer than the timeout of the row, and ended by the process. */
const slowly = (): Promise<string> => new Promise((resolve) => void setTimeout(resolve, 200, 'late').unref());

const serialized = (name: string, body: () => unknown, options?: Parameters<typeof SerializeOptions>[0]): Row => ({
  ...intercepted(name, [ClassSerializerInterceptor], { body, inputs: values({ valid: { word: 'a' } }) }),
  enhancers: {
    onClass: [UseInterceptors(ClassSerializerInterceptor), ...(options ? [SerializeOptions(options) as ClassDecorator] : [])],
  },
});

/** Interceptors of classes and methods. */
export const interceptors: Group = {
  name: 'interceptors',
  rows: [
    intercepted('logging', [around('logging')]),
    intercepted('two, one within the other', [around('outer'), around('inner')]),
    {
      ...intercepted('of the class and the method', []),
      enhancers: { onClass: [UseInterceptors(around('class'))], onMethod: [UseInterceptors(around('method'))] },
    },
    intercepted('the line that asks for http', [Audit]),
    intercepted('a tenant by header', [Tenant], { inputs: { named: { args: {}, headers: { 'x-tenant': 'a' } }, nobody: { args: {} } } }),
    intercepted('a timeout that is kept', [Patience]),
    intercepted('a timeout that is over', [Patience], { inputs: values({ valid: { word: 'a' } }), body: slowly }),
    intercepted('a transaction', [Transaction]),
    intercepted('a transaction that fails', [Transaction], {
      inputs: values({ valid: { word: 'a' } }),
      body: fails(() => new BadGatewayException('Down')),
    }),
    intercepted('a header before the handler', [Early]),
    intercepted('a header after the handler', [Late]),
    intercepted('an entity tag', [Etag]),
    intercepted('a mapped response', [Mapped]),
    intercepted('a mapped text', [Shout]),
    intercepted('no null', [NoNull], { body: () => null }),
    intercepted('mapped errors', [Translate], { inputs: values({ valid: { word: 'a' } }), body: fails(() => new Error('inside')) }),
    intercepted('a failure that becomes a value', [Rescue], {
      inputs: values({ valid: { word: 'a' } }),
      body: fails(() => new Error('inside')),
    }),
    intercepted('an answer from a cache', [Cached]),
    intercepted('an interceptor that refuses', [Refusing]),
    intercepted('several values', [Last], { inputs: values({ valid: { word: 'a' } }) }),
    intercepted('an interceptor that waits', [Waiting]),
    intercepted('a request-scoped interceptor', [ScopedInterceptor]),
    serialized('ClassSerializerInterceptor', () => new UserEntity()),
    serialized('ClassSerializerInterceptor of a list', () => [new UserEntity(), new UserEntity()]),
    serialized('ClassSerializerInterceptor with groups', () => new UserEntity(), { groups: ['admin'] }),
    serialized(
      'ClassSerializerInterceptor of a plain value',
      () => ({ id: 7, password: 'secret', name: 'Ada', email: 'x', born: new Date(0) }),
      { type: UserEntity },
    ),
  ],
};
