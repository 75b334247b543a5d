/** A change that an application can announce. */
export type ServerChange =
  | { readonly kind: 'tools' }
  | { readonly kind: 'prompts' }
  | { readonly kind: 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

/**
 * Tells the clients that listen (`subscriptions/listen`) what has changed in this server. Inject it anywhere; without a listener a call costs
 * nothing. It reaches the streams of this process: with several nodes, each that knows of the change says so.
 */
export class McpNotifier {
  private readonly listeners = new Set<(change: ServerChange) => void>();

  /** The list of tools is another one (`notifications/tools/list_changed`). `McpRegistrar` says so by itself. */
  toolsChanged(): void {
    this.announce({ kind: 'tools' });
  }

  /** The list of prompts is another one (`notifications/prompts/list_changed`). `McpRegistrar` says so by itself. */
  promptsChanged(): void {
    this.announce({ kind: 'prompts' });
  }

  /** The list of resources or of templates is another one (`notifications/resources/list_changed`). `McpRegistrar` says so by itself. */
  resourcesChanged(): void {
    this.announce({ kind: 'resources' });
  }

  /**
   * Announces that the resource under `uri` has changed (`notifications/resources/updated`), to clients that watch it or
   * a URI above it.
   */
  resourceUpdated(uri: string): void {
    this.announce({ kind: 'resource', uri });
  }

  /** For topics: hears of every change. @returns what ends it */
  onChange(listener: (change: ServerChange) => void): () => void {
    const heard = (change: ServerChange): void => listener(change);
    this.listeners.add(heard);
    return () => void this.listeners.delete(heard);
  }

  private announce(change: ServerChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
