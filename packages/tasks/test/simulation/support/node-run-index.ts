import { type RunSession, type TaskKey, TaskRunIndex, type TaskRunListener } from '@mocapi/tasks';
import type { NodeStoreParts } from './node-store-parts.js';

/** The run index as one node has it. */
export class NodeRunIndex extends TaskRunIndex {
  constructor(protected readonly parts: NodeStoreParts) {
    super();
  }

  join(listener?: TaskRunListener): Promise<string> {
    const { link, server, life } = this.parts;
    const told: TaskRunListener = {
      stopped: (key) => link.hint('stopped', () => listener?.stopped(key)),
      orphaned: () => link.hint('orphaned', () => listener?.orphaned()),
    };
    return link.call('joins', 'nodes', async () => {
      const session = await server.store.runIndex.join(told);
      life.sessions.push(session);
      return session;
    });
  }

  beat(session: string): Promise<boolean> {
    return this.ask('beats', 'nodes', (index) => index.beat(session));
  }

  leave(session: string): Promise<void> {
    return this.ask('leaves', 'nodes', (index) => index.leave(session));
  }

  tellStopped(session: string, key: TaskKey): Promise<void> {
    return this.ask('tells', session, (index) => index.tellStopped(session, key));
  }

  markRunning(session: string, key: TaskKey): Promise<void> {
    return this.ask('marks', session, (index) => index.markRunning(session, key));
  }

  unmark(session: string, key: TaskKey): Promise<void> {
    return this.ask('unmarks', session, (index) => index.unmark(session, key));
  }

  sessions(): Promise<readonly RunSession[]> {
    return this.ask('looks at the sessions', 'nodes', (index) => index.sessions());
  }

  bury(session: string, sign: string): Promise<boolean> {
    return this.ask('buries', 'nodes', (index) => index.bury(session, sign));
  }

  runningOf(session: string, limit: number): Promise<readonly TaskKey[]> {
    return this.ask('looks what ran', session, (index) => index.runningOf(session, limit));
  }

  drop(session: string): Promise<void> {
    return this.ask('drops', session, (index) => index.drop(session));
  }

  protected ask<T>(what: string, key: string, serve: (index: TaskRunIndex) => Promise<T>): Promise<T> {
    const { link, server } = this.parts;
    return link.call(what, key, () => serve(server.store.runIndex));
  }
}
