import type { Redis } from 'ioredis';

const KEYS_AT_ONCE = 100;
const MIGRATE_TIMEOUT_MS = 5000;

/** Options of {@link moveSlot}: a client for each node of the cluster, including the slot's owner and its next owner. */
export interface SlotMove {
  readonly slot: number;
  readonly from: Redis;
  readonly to: Redis;
  readonly all: readonly Redis[];
}

/** Moves a slot and its keys to another node the way a cluster is resharded while it serves. Resolves to how many keys were moved. */
export async function moveSlot({ slot, from, to, all }: SlotMove): Promise<number> {
  const [fromId, toId] = await Promise.all([idOf(from), idOf(to)]);
  await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
  await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
  const moved = await moveKeys(slot, from, to.options.port!);
  // The new owner learns of it first, so that no node sends a client where nobody serves the slot.
  await to.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
  for (const node of [from, ...all.filter((client) => client !== from && client !== to)])
    await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
  return moved;
}

async function moveKeys(slot: number, from: Redis, toPort: number): Promise<number> {
  for (let moved = 0; ;) {
    const keys = (await from.call('CLUSTER', 'GETKEYSINSLOT', slot, KEYS_AT_ONCE)) as string[];
    if (keys.length === 0) return moved;
    await from.call('MIGRATE', '127.0.0.1', toPort, '', 0, MIGRATE_TIMEOUT_MS, 'KEYS', ...keys);
    moved += keys.length;
  }
}

async function idOf(node: Redis): Promise<string> {
  return String(await node.call('CLUSTER', 'MYID'));
}
