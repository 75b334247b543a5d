import { randomUUID } from 'node:crypto';
import { ClsModule, ClsServiceManager } from 'nestjs-cls';
import { plainRow } from '../rows/guards.js';
import { values, type Row } from '../model/row.js';
import { validatingPipe, type Bed } from './bed.js';

const said = (): unknown => ClsServiceManager.getClsService().get('said') ?? 'nothing';
const reading: Row = { ...plainRow('a handler that reads the store', values({ valid: { word: 'a' } })), body: said };

const fill = {
  setup: (cls: { set(key: string, value: string): void }): void => cls.set('said', 'set at the entrance'),
  idGenerator: (): string => randomUUID(),
};

/** `nestjs-cls` with its interceptor, which is entered for every execution. */
export const clsBed: Bed = {
  name: 'cls',
  groups: [{ name: 'nestjs-cls', rows: [reading] }],
  parts: { imports: [ClsModule.forRoot({ global: true, interceptor: { mount: true, ...fill } })] },
  configure: validatingPipe,
};
