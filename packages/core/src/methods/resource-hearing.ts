import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { JsonObject } from '../protocol/json.js';
import type { Hearing } from '../subscriptions/resource-updates.topic.js';
import { McpError } from '../errors/mcp.error.js';
import type { Surface } from './surface.js';

/** The handler that would answer the reading of a URI, and the arguments it would get. */
interface Reader {
  readonly handler: HandlerDefinition;
  readonly arguments: JsonObject;
}

interface Answer {
  readonly handler: HandlerDefinition;
  allowed: boolean | Promise<boolean>;
}

/** The most guard answers that one stream remembers; beyond it the oldest is forgotten. */
const MAX_REMEMBERED = 1_000;

/**
 * Decides which resources one caller may hear of: none that is hidden from the caller, and none whose handler's guards
 * refuse a read. Guards are asked once per stream, URI and handler. What no resource serves is the application's to
 * announce.
 */
export class ResourceHearing implements Hearing {
  private readonly answers = new Map<string, Answer>();

  constructor(
    private readonly surface: Surface,
    private readonly context: DispatchContext,
    private readonly failed: (error: unknown) => void,
  ) {}

  mayWatch(uri: string): boolean | Promise<boolean> {
    const reader = this.readerOf(uri);
    // A hidden URI is acknowledged like one that nothing serves, and then silent.
    return typeof reader === 'string' || this.isAllowed(uri, reader);
  }

  mayHear(uri: string): boolean | Promise<boolean> {
    const reader = this.readerOf(uri);
    return typeof reader === 'string' ? reader === 'unserved' : this.isAllowed(uri, reader);
  }

  /** Finds a resource as `resources/read` does: the exact URI before templates; hidden handlers are passed over. */
  private readerOf(uri: string): Reader | 'unserved' | 'hidden' {
    const { resources, templates, visibility } = this.surface;
    const exact = resources.byKey.get(uri);
    const matches = templates
      .matches(uri)
      .map(({ definition, variables }) => ({ handler: definition, arguments: variables as JsonObject }));
    const readers: Reader[] = exact ? [{ handler: exact, arguments: {} }, ...matches] : matches;
    if (readers.length === 0) return 'unserved';
    return readers.find(({ handler }) => visibility.canSee(handler, this.context.principal)) ?? 'hidden';
  }

  private isAllowed(uri: string, reader: Reader): boolean | Promise<boolean> {
    const known = this.answers.get(uri);
    if (known?.handler === reader.handler) return known.allowed;
    const answer: Answer = { handler: reader.handler, allowed: this.ask(reader).then((allowed) => (answer.allowed = allowed)) };
    this.answers.delete(uri);
    this.answers.set(uri, answer);
    if (this.answers.size > MAX_REMEMBERED) this.answers.delete(this.answers.keys().next().value!);
    return answer.allowed;
  }

  /** The application's and the endpoint's guards were asked for the stream itself, so only the handler's own are. */
  private async ask({ handler, arguments: given }: Reader): Promise<boolean> {
    const { envelope, principal, exchange } = this.context;
    const { request, signal } = exchange;
    try {
      await this.surface.guards.pass(handler, {
        envelope,
        request,
        signal,
        arguments: given,
        entered: true,
        principal,
      });
      return true;
    } catch (error) {
      if (!(error instanceof McpError)) this.failed(error);
      return false;
    }
  }
}
