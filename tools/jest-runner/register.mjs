import { register } from 'node:module';
register('./globals-hook.mjs', import.meta.url);
