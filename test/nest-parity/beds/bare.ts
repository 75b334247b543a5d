import { ValidationPipe } from '@nestjs/common';
import { RULE_DTOS, WHOLE_DTOS } from '../rows/dto/index.js';
import type { Bed } from './bed.js';

const routePipes = [new ValidationPipe({ transform: true })];

/** No pipe on the handlers of MCP: they get what they would get from a validating pipe. */
export const bare: Bed = {
  name: 'bare',
  groups: [...WHOLE_DTOS, ...RULE_DTOS].map(({ name, rows }) => ({
    name: `No pipe, ${name}`,
    rows: rows.map((row) => ({ ...row, routePipes })),
  })),
};
