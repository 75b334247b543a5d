import { Inject, Injectable } from '@nestjs/common';
import { ToolRegistry } from '../discovery/registries.js';
import { ToolInvoker } from '../handlers/run/tool-invoker.js';
import { ToolCallWire } from './tool-call-wire.js';

/** Everything a tool call goes through, in one place: which tools there are, how one is run, how a call is read and answered on the wire. */
@Injectable()
export class ToolCalls {
  constructor(
    @Inject(ToolRegistry) readonly registry: ToolRegistry,
    @Inject(ToolInvoker) readonly invoker: ToolInvoker,
    @Inject(ToolCallWire) readonly wire: ToolCallWire,
  ) {}
}
