import { Injectable } from '@nestjs/common';
import type { ServerCapabilities } from '@mocapi/core';
import { McpSeam, type ServerCapabilitiesCustomizer } from '@mocapi/core/extension';
import { TASKS_CAPABILITY, TASKS_EXTENSION } from '../protocol/tasks-extension.js';

/** Advertises the Tasks extension in `server/discover`, with no settings. */
@Injectable()
@McpSeam('capabilities-customizer')
export class TasksCapabilityCustomizer implements ServerCapabilitiesCustomizer {
  customize(capabilities: ServerCapabilities): void {
    capabilities.extensions = { ...capabilities.extensions, [TASKS_EXTENSION]: TASKS_CAPABILITY };
  }
}
