import type { Carrier } from './carrier.js';
import { prompt } from './prompt.js';
import { resumedTask } from './resumed-task.js';
import { synchronous } from './synchronous.js';
import { task } from './task.js';
import { template } from './template.js';
import { tool } from './tool.js';
import { wireReplay } from './wire-replay.js';

/** Every way to a handler of MCP that is compared with the route. */
export const CARRIERS: readonly Carrier[] = [tool, synchronous, prompt, template, wireReplay, task, resumedTask];
