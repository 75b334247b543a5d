import { Logger } from '@nestjs/common';
import { TaskChangeFeed, type TaskChangeListener, type TaskKey, type Unwatch } from '@mocapi/tasks';
import type { RedisChannels, Unlisten } from '../channels/redis-channels.js';
import type { RedisCommands } from '../commands/redis-commands.js';
import type { RedisKeys } from '../commands/redis-keys.js';
import { storedVersion } from '../commands/stored-version.js';

/** Parts of the change feed. */
export interface RedisChangeFeedParts {
  readonly commands: RedisCommands;
  readonly channels: RedisChannels;
  readonly keys: RedisKeys;
}

interface WatchedKey {
  readonly watches: Set<{ readonly listener: TaskChangeListener }>;
  leave: Unlisten;
  /** The last version that was announced; 0 for none. */
  told: number;
}

/** It is unknown which changes were missed. */
const UNKNOWN = Number.POSITIVE_INFINITY;

/**
 * Changes as Redis announces them to all subscribers, from any node. Changes before the subscription took effect are
 * found by reading the version then; after a lost connection, listeners get `Infinity`.
 */
export class RedisChangeFeed extends TaskChangeFeed {
  private readonly logger = new Logger(RedisChangeFeed.name);
  private readonly watched = new Map<TaskKey, WatchedKey>();

  constructor(private readonly parts: RedisChangeFeedParts) {
    super();
  }

  /** How many tasks are watched. */
  get size(): number {
    return this.watched.size;
  }

  watch(key: TaskKey, listener: TaskChangeListener): Unwatch {
    // Wrapped, so that a function given twice is two watches.
    const watch = { listener };
    const known = this.watched.get(key) ?? this.begin(key);
    known.watches.add(watch);
    return () => {
      if (!known.watches.delete(watch) || known.watches.size > 0) return;
      this.watched.delete(key);
      known.leave();
    };
  }

  private begin(key: TaskKey): WatchedKey {
    const known: WatchedKey = { watches: new Set(), leave: () => undefined, told: 0 };
    this.watched.set(key, known);
    known.leave = this.parts.channels.listen(this.parts.keys.changes(key), {
      message: (text) => this.tell(known, Number(text)),
      subscribed: (isAgain) => (isAgain ? this.tell(known, UNKNOWN) : void this.tellStored(key, known)),
    });
    return known;
  }

  private async tellStored(key: TaskKey, known: WatchedKey): Promise<void> {
    const version = await this.storedVersion(key);
    if (version > known.told) this.tell(known, version);
  }

  private async storedVersion(key: TaskKey): Promise<number> {
    const { commands, keys } = this.parts;
    try {
      return await commands.read((client) => storedVersion(client, keys.task(key)));
    } catch {
      return UNKNOWN;
    }
  }

  private tell(known: WatchedKey, version: number): void {
    // What was asked for and what is announced can be the same change.
    if (version === known.told && version !== UNKNOWN) return;
    known.told = version === UNKNOWN ? 0 : version;
    // A copy: a watch that a listener begins is not for this change.
    for (const { listener } of Array.from(known.watches)) {
      try {
        listener(version);
      } catch (error) {
        this.logger.error('A task change listener threw', error instanceof Error ? error.stack : error);
      }
    }
  }
}
