import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { headerOf } from './header-of.js';

/** An ordinary Nest guard for HTTP: lets callers through who send `x-demo-role: admin`. */
@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return headerOf(context.switchToHttp().getRequest<object>(), 'x-demo-role') === 'admin';
  }
}
