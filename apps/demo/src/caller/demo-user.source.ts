import { Injectable } from '@nestjs/common';
import { McpPrincipalSource, type McpPrincipal } from '@mocapi/core';
import { headerOf } from './header-of.js';

/**
 * Takes the caller's word for who they are: the header `x-demo-user`, or anonymous without it. A real deployment reads what its
 * authentication guard left on the request. Either way a task belongs to the caller who created it; for others it does not exist.
 */
@Injectable()
export class DemoUserSource extends McpPrincipalSource {
  resolve(request: object): McpPrincipal | undefined {
    const user = headerOf(request, 'x-demo-user');
    return user === undefined ? undefined : { id: user };
  }
}
