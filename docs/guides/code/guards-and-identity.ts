import {
  ForbiddenException,
  Injectable,
  Module,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { McpContext, McpExecution, McpModule, McpPrincipalSource, McpTool, type McpPrincipal, type McpToolContext } from '@mocapi/core';

// #region guard
interface WithUser {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  user?: { readonly id: string; readonly roles: readonly string[] };
}

/** Works for routes and tools alike: it reads a header and leaves the user on the request. */
@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<WithUser>();
    if (request.headers.authorization !== 'Bearer sesame') throw new UnauthorizedException();
    request.user = { id: 'ali', roles: ['editor'] };
    return true;
  }
}
// #endregion guard

// #region principal
@Injectable()
export class UserPrincipalSource extends McpPrincipalSource {
  resolve(request: object): McpPrincipal | undefined {
    const { user } = request as WithUser;
    return user && { id: user.id, claims: { roles: [...user.roles] } };
  }
}
// #endregion principal

// #region takeover
/** Checks the token of every request, and lets takeovers pass, which have no request: so it works with `guardsOnTakeover: 'run'`. */
@Injectable()
export class NodesTokenGuard extends TokenGuard {
  override canActivate(context: ExecutionContext): boolean {
    return McpExecution.find(context)?.trigger === 'takeover' || super.canActivate(context);
  }
}
// #endregion takeover

// #region roles
export const Roles = (...roles: string[]) => SetMetadata('roles', roles);

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const wanted = this.reflector.getAllAndOverride<string[] | undefined>('roles', [context.getHandler(), context.getClass()]) ?? [];
    const { roles = [] } = (McpExecution.of(context).principal?.claims ?? {}) as { roles?: string[] };
    if (!wanted.every((role) => roles.includes(role))) throw new ForbiddenException();
    return true;
  }
}

@Injectable()
export class ArticleTools {
  @McpTool({ description: 'Publishes the draft' })
  @UseGuards(RolesGuard)
  @Roles('editor')
  publish(@McpContext() ctx: McpToolContext): string {
    return `Published by ${ctx.principal?.id}`;
  }

  @McpTool({ description: 'Removes every article' })
  @UseGuards(RolesGuard)
  @Roles('owner')
  removeAll(): string {
    return 'Removed';
  }
}
// #endregion roles

// #region module
@Module({
  imports: [
    McpModule.forRoot({
      name: 'articles',
      version: '1.0.0',
      guards: [TokenGuard],
      providers: [{ provide: McpPrincipalSource, useClass: UserPrincipalSource }],
    }),
  ],
  providers: [ArticleTools],
})
export class ArticlesModule {}
// #endregion module
