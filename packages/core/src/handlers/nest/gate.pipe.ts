import type { PipeTransform } from '@nestjs/common';
import type { Pass } from '../../replay/pass.js';
import { currentPass } from './boundary.interceptor.js';
import { openGate } from '../run/run-pass.js';

interface Gate {
  arrived: number;
  readonly opened: Promise<void>;
  open(): void;
}

const gates = new WeakMap<Pass, Gate>();

/**
 * The last pipe of every parameter: the body is entered only when all parameters have arrived and the call, if it is to become a
 * task at its start, has become one.
 * @param total how many parameters the handler has
 */
export function gatePipe(total: number): PipeTransform {
  return {
    async transform(value: unknown) {
      const current = currentPass();
      const gate = gateOf(current.pass);
      gate.arrived += 1;
      // Whoever fails to open it throws; the parameters that wait are left to it, since one failure ends the pipeline.
      if (gate.arrived === total) {
        await openGate(current);
        current.call.stage = 'body';
        gate.open();
      }
      await gate.opened;
      return value;
    },
  };
}

function gateOf(pass: Pass): Gate {
  let gate = gates.get(pass);
  if (!gate) {
    const { promise, resolve } = openable();
    gate = { arrived: 0, opened: promise, open: resolve };
    gates.set(pass, gate);
  }
  return gate;
}

function openable(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((open) => (resolve = open));
  return { promise, resolve };
}
