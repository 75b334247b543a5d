import type { McpPrincipal } from '@mocapi/core';
import type { TopicNotification } from '@mocapi/core/extension';
import { taskKeyOf, toDetailedTask } from '@mocapi/tasks';
import { contextOf, type SimulatedNode } from './simulated-node.js';
import type { ClientParts } from './simulated-client.js';

let streams = 0;

/** Listens to the pushes of one task: at any node, and at another one when that is gone. Its stream takes what is pushed when it can, and then the latest. */
export class SimulatedListener {
  private node: SimulatedNode | undefined;
  private leave: (() => void) | undefined;
  private stream = 0;
  private isClosed = false;
  private lastPush = '';
  private pending: (() => TopicNotification | undefined) | undefined;

  constructor(
    private readonly parts: ClientParts,
    private readonly taskId: string,
    private readonly principal: McpPrincipal | undefined,
  ) {
    this.listenLater(1);
  }

  /** Whether what was pushed last is the task as it is; true while there is no stream, and of a task that can't be read any more. */
  heardLast(): boolean {
    const { history, time } = this.parts;
    const record = history.readable(taskKeyOf(this.principal, this.taskId), time.now);
    return !record || !this.leave || this.lastPush === JSON.stringify(toDetailedTask(record));
  }

  /** Ends the stream, as a client that disconnects. */
  close(): void {
    if (this.leave)
      this.parts.history.openStreams.push({
        at: this.parts.time.now,
        taskId: this.taskId,
        stream: this.stream,
        isCurrent: this.heardLast(),
      });
    this.isClosed = true;
    this.leave?.();
    this.leave = undefined;
  }

  private listenLater(ms: number): void {
    this.parts.time.after(ms, 'a listener comes', () => void this.listen());
  }

  private async listen(): Promise<void> {
    const { cluster, random } = this.parts;
    const { up } = cluster;
    const node = up.length > 0 ? random.pick(up) : undefined;
    if (this.isClosed) return;
    this.node = node;
    node?.parts.process.onDisconnect(() => this.lost(node));
    const begun = node && (await this.begin(node).catch(() => false));
    if (node === undefined || begun === false) this.lost(node);
  }

  private async begin(node: SimulatedNode): Promise<boolean> {
    const stream = (this.stream = streams += 1);
    const exchange = {
      signal: new AbortController().signal,
      notifications: { notify: () => undefined },
      delivery: { onSettled: () => undefined },
      request: { headers: {} },
    };
    const context = contextOf({ method: 'tasks/get', params: {}, principal: this.principal, exchange });
    const topic = await node.subscriptions.honour([this.taskId], context);
    if (!topic || (topic.honoured as string[]).length === 0) return true;
    if (this.isClosed || this.node !== node || this.stream !== stream) return true;
    this.leave = topic.start({ emit: (_key, render) => this.pushLater(node, stream, render) });
    return true;
  }

  /** A reader that is slow gets the latest. */
  private pushLater(node: SimulatedNode, stream: number, render: () => TopicNotification | undefined): void {
    const { time, random } = this.parts;
    const isWaiting = this.pending !== undefined;
    this.pending = render;
    if (isWaiting) return;
    const delay = random.chance(0.2) ? random.between(50, 500) : random.between(1, 3);
    time.after(delay, { what: `${node.name} pushes`, process: node.parts.process }, () => this.push(node, stream));
  }

  private push(node: SimulatedNode, stream: number): void {
    const { history, time } = this.parts;
    // A push that is still under way on a lost stream must not take what waits for its successor.
    if (this.isClosed || this.stream !== stream) return;
    const notification = this.pending?.();
    this.pending = undefined;
    if (!notification) return;
    this.lastPush = JSON.stringify(notification.params);
    history.sightings.push({
      at: time.now,
      taskId: this.taskId,
      node: node.name,
      stream,
      task: notification.params!,
      commits: history.commits.length,
    });
  }

  private lost(node: SimulatedNode | undefined): void {
    if (this.isClosed || this.node !== node) return;
    this.node = undefined;
    this.leave?.();
    this.leave = undefined;
    this.pending = undefined;
    this.listenLater(this.parts.random.between(50, 300));
  }
}
