import { Injectable } from '@nestjs/common';
import { McpSeam, type ServerCapabilities, type ServerCapabilitiesCustomizer } from '@mocapi/core';
import { TASKS_CAPABILITY, TASKS_EXTENSION } from '../protocol/tasks-extension.js';

/** Advertises the Tasks extension in `server/discover`, with no settings. */
@Injectable()
@McpSeam('capabilities-customizer')
export class TasksCapabilityCustomizer implements ServerCapabilitiesCustomizer {
  customize(capabilities: ServerCapabilities): void {
    capabilities.extensions = { ...capabilities.extensions, [TASKS_EXTENSION]: TASKS_CAPABILITY };
  }
}
