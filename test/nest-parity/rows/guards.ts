import {
  applyDecorators,
  ForbiddenException,
  HttpException,
  Inject,
  Injectable,
  NotFoundException,
  Scope,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector, REQUEST } from '@nestjs/core';
import { IsOptional, IsString } from 'class-validator';
import { of } from 'rxjs';
import { spy } from '../model/journal.js';
import type { Group, Input, Row } from '../model/row.js';

class WordDto {
  @IsOptional()
  @IsString()
  word?: string;
}

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly url: string;
  readonly method: string;
  readonly ip?: string;
  user?: unknown;
}

interface Outgoing {
  header(name: string, value: unknown): unknown;
}

const requestOf = (context: ExecutionContext): Incoming => context.switchToHttp().getRequest();
const responseOf = (context: ExecutionContext): Outgoing => context.switchToHttp().getResponse();
const hasToken = (context: ExecutionContext): boolean => requestOf(context).headers['authorization'] === 'Bearer sesame';

/** A guard as a class of its own, made from what it decides. */
function guard(name: string, decide: (context: ExecutionContext) => unknown): new () => CanActivate {
  @Injectable()
  class MadeGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      spy(`guard ${name}`, context);
      return decide(context) as boolean;
    }
  }
  return MadeGuard;
}

const HttpOnlyGuard = guard('http only', (context) => {
  if (context.getType() !== 'http') return true;
  if (!hasToken(context)) throw new UnauthorizedException();
  return true;
});
const TellingGuard = guard('telling', (context) => {
  if (hasToken(context)) return true;
  responseOf(context).header('WWW-Authenticate', 'Bearer realm="parity"');
  throw new UnauthorizedException('No token');
});
const BusyGuard = guard('busy', (context) => {
  if (hasToken(context)) return true;
  responseOf(context).header('Retry-After', '30');
  throw new HttpException('Too busy', 429);
});
const MarkingGuard = guard('marking', (context) => {
  responseOf(context).header('X-RateLimit-Remaining', '9');
  return hasToken(context);
});
const statusGuard = (status: number) =>
  guard(`status ${status}`, (context) => {
    if (hasToken(context)) return true;
    throw new HttpException('Not here', status);
  });
const failing = guard('failing', (context) => {
  if (hasToken(context)) return true;
  throw new TypeError('a defect');
});
const UserGuard = guard('user', (context) => {
  requestOf(context).user = { id: 'ali' };
  return true;
});
const NeedsUserGuard = guard(
  'needs user',
  (context) => (requestOf(context).user as { id?: string } | undefined)?.id === 'ali' && hasToken(context),
);

const Roles = (...roles: string[]) => SetMetadata('roles', roles);
const RolesOfReflector = Reflector.createDecorator<string[]>();

@Injectable()
class RolesGuard implements CanActivate {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    spy('roles guard', context);
    const named = this.reflector.getAllAndOverride<string[] | undefined>('roles', [context.getHandler(), context.getClass()]);
    const wanted = named ?? this.reflector.get(RolesOfReflector, context.getHandler()) ?? [];
    return wanted.every((role) => requestOf(context).headers['x-roles']?.includes(role));
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: Incoming) {}

  canActivate(context: ExecutionContext): boolean {
    spy('request-scoped guard', context);
    return this.request === requestOf(context) && hasToken(context);
  }
}

const token = { authorization: 'Bearer sesame' };
const inputs: Record<string, Input> = {
  'with the token': { args: { word: 'a' }, headers: token },
  'without a token': { args: { word: 'a' } },
  'without a token, wrong arguments': { args: { word: 5 } },
};
const byRole: Record<string, Input> = {
  editor: { args: { word: 'a' }, headers: { 'x-roles': 'editor' } },
  reader: { args: { word: 'a' }, headers: { 'x-roles': 'reader' } },
  nobody: { args: { word: 'a' } },
};

const guarded = (name: string, ...guards: Parameters<typeof UseGuards>): Row => ({
  name,
  type: WordDto,
  inputs,
  enhancers: { onClass: [UseGuards(...guards)] },
});

/** Guards of classes and methods. */
export const guards: Group = {
  name: 'guards of classes and methods',
  rows: [
    guarded('the line that asks for http', HttpOnlyGuard),
    guarded('a guard that says no', guard('no', hasToken)),
    guarded(
      'a promise',
      guard('promise', (context) => Promise.resolve(hasToken(context))),
    ),
    guarded(
      'an Observable',
      guard('observable', (context) => of(hasToken(context))),
    ),
    guarded(
      'ForbiddenException with a text',
      guard('forbidden', (context) => {
        if (hasToken(context)) return true;
        throw new ForbiddenException('Not you');
      }),
    ),
    guarded(
      'NotFoundException',
      guard('not found', (context) => {
        if (hasToken(context)) return true;
        throw new NotFoundException();
      }),
    ),
    guarded('WWW-Authenticate', TellingGuard),
    guarded('Retry-After', BusyGuard),
    guarded('a header of a guard that passes', MarkingGuard),
    guarded('402', statusGuard(402)),
    guarded('418', statusGuard(418)),
    guarded('503', statusGuard(503)),
    guarded('a guard that fails', failing),
    guarded('a request-scoped guard', ScopedGuard),
    guarded('a user of one guard for the next', UserGuard, NeedsUserGuard),
    guarded('an instance', new (guard('instance', hasToken))()),
    { ...guarded('of the method'), enhancers: { onMethod: [UseGuards(HttpOnlyGuard)] } },
    {
      ...guarded('of the class and the method'),
      enhancers: { onClass: [UseGuards(UserGuard)], onMethod: [UseGuards(NeedsUserGuard)] },
    },
    {
      ...guarded('roles of the method'),
      inputs: byRole,
      enhancers: { onClass: [UseGuards(RolesGuard)], onMethod: [applyDecorators(Roles('editor'))] },
    },
    {
      ...guarded('roles of the class'),
      inputs: byRole,
      enhancers: { onClass: [UseGuards(RolesGuard), Roles('editor')] },
    },
    {
      ...guarded('roles of Reflector.createDecorator'),
      inputs: byRole,
      enhancers: { onMethod: [UseGuards(RolesGuard), RolesOfReflector(['editor'])] },
    },
  ],
};

/** A row that has no enhancer of its own, for guards of the whole application. */
export const plainRow = (name: string, more: Row['inputs'], enhancers?: Row['enhancers']): Row => ({
  name,
  type: WordDto,
  inputs: more,
  ...(enhancers && { enhancers }),
});

/** Guards that stand for the whole application. */
export const APP_GUARDS = { HttpOnlyGuard, TellingGuard, BusyGuard, ScopedGuard };

/** What a guard of the whole application is asked. */
export const tokenInputs = inputs;
