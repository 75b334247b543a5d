import * as fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) register('./node-20-hook.mjs', import.meta.url);
