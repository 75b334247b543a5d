import { McpDefinitionsError } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { makeSurface, type Surface } from '../model/surface.js';
import type { Bed } from './bed.js';

/** A row that stops the boot, and what the boot says. */
export interface RefusedRow {
  readonly surface: Surface;
  readonly problem: string;
}

/** A running application, and the rows that it had to start without. */
export interface StartedBed {
  readonly testing: McpTestingApp;
  readonly surfaces: readonly Surface[];
  readonly refused: readonly RefusedRow[];
}

/** Starts an application with the rows of a bed. Rows that stop the boot are left out, one after the other. */
export async function startBed(bed: Bed): Promise<StartedBed> {
  let surfaces = bed.groups.flatMap(({ rows }) => rows).map((row, index) => makeSurface(row, `Row${index}`));
  const refused: RefusedRow[] = [];
  for (;;) {
    const started = await start(bed, surfaces).catch((error: unknown) => error);
    if (!(started instanceof Error)) return { testing: started as McpTestingApp, surfaces, refused };
    const found = refusedBy(started, surfaces);
    if (found.length === 0) throw started;
    refused.push(...found);
    surfaces = surfaces.filter((surface) => !found.some((other) => other.surface === surface));
  }
}

function start({ parts = {}, responseHeaders = [], configure }: Bed, surfaces: readonly Surface[]): Promise<McpTestingApp> {
  return createMcpTestingApp({
    ...parts,
    imports: [McpTasksModule.forRoot(), ...(parts.imports ?? [])],
    options: { responseHeaders },
    controllers: surfaces.map(({ controller }) => controller),
    ...(configure && { configure }),
  });
}

/** The rows that the faults of a boot are about: each names a handler, or a property of the row's DTO. */
function refusedBy(error: Error, surfaces: readonly Surface[]): RefusedRow[] {
  if (!(error instanceof McpDefinitionsError)) return [];
  const lines = error.faults.map(({ where, problem }) => ({ owner: where.split('.')[0], problem: `${where}: ${problem}` }));
  return surfaces.flatMap((surface) => {
    const names = [surface.id, (surface.row.type as { name?: string }).name];
    const line = lines.find(({ owner }) => names.includes(owner));
    return line ? [{ surface, problem: line.problem }] : [];
  });
}
