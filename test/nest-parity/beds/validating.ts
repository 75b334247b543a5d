import { ValidationPipe } from '@nestjs/common';
import { DTO_GROUPS } from '../rows/dto/index.js';
import type { Bed } from './bed.js';

/** `useGlobalPipes(new ValidationPipe({ transform: true }))`, as most applications have it. */
export const validating: Bed = {
  name: 'validating',
  groups: DTO_GROUPS.map(({ name, rows }) => ({ name: `ValidationPipe, ${name}`, rows })),
  configure: (app) => app.useGlobalPipes(new ValidationPipe({ transform: true })),
};
