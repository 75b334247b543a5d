// A toy extension, "receipts": a client that declares it gets a receipt in place of a tool's result, and fetches the result later.
// It is built with the public names of the core alone.
import {
  invalidParams,
  McpError,
  McpPrincipalSource,
  McpToolError,
  McpValueResolver,
  type JsonObject,
  type McpErrorTranslator,
  type McpPrincipal,
  type McpResult,
  type ServerCapabilities,
} from '@mocapi/core';
import {
  declaresExtension,
  McpHandlerExtension,
  McpSeam,
  CallRunner,
  toolCallOf,
  type Admitted,
  type DispatchContext,
  type HandlerCustomizer,
  type HandlerStratum,
  type HandlerUnderConstruction,
  type LedgerEntry,
  type McpDispatchInterceptor,
  type McpMethod,
  type McpMethodContributor,
  type ProgressSink,
  type ProgressUpdate,
  type RoutedParam,
  type RoutedParamContributor,
  type ServerCapabilitiesCustomizer,
  type Admission,
  type AdmissionState,
  type ToolCallTarget,
  type ToolDefinition,
  type CallOutcome,
} from '@mocapi/core/extension';
import { applyDecorators, Inject, Injectable, Module, SetMetadata, type Provider } from '@nestjs/common';

export const RECEIPTS = 'com.example/receipts';

const RECEIPT_METADATA = 'example:receipt';
const RECEIPT_PREFIX = Symbol('receipt prefix');

/** Marks a tool as one that gives receipts; its ids begin with `prefix`. */
export function Receipt(prefix: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(RECEIPT_METADATA, prefix),
    McpHandlerExtension({ decorator: '@Receipt', fix: 'Import ReceiptsModule.' }),
  );
}

/** A call that is under way, or over. */
export class ReceiptEntry implements ProgressSink {
  readonly progress: ProgressUpdate[] = [];
  readonly recorded: LedgerEntry[] = [];
  owner: McpPrincipal | undefined;
  outcome?: CallOutcome;

  report(update: ProgressUpdate): void {
    this.progress.push(update);
  }
}

@Injectable()
export class Receipts extends Map<string, ReceiptEntry> {}

/** What the strata did, in order. */
@Injectable()
export class StrataLog {
  readonly lines: string[] = [];
}

const STRATA: readonly HandlerStratum[] = ['invocation', 'validation', 'authorization', 'audit', 'observation', 'correlation'];

@Injectable()
@McpSeam('handler-customizer')
export class ReceiptCustomizer implements HandlerCustomizer {
  constructor(
    @Inject(StrataLog) private readonly log: StrataLog,
    @Inject(McpValueResolver) private readonly resolver: McpValueResolver,
  ) {}

  customize(handler: HandlerUnderConstruction): void {
    const prefix = handler.getMetadata(RECEIPT_METADATA) as string | undefined;
    if (prefix === undefined) return;
    handler.claim('@Receipt');
    handler.extend(RECEIPT_PREFIX, this.resolver.resolve(prefix));
    handler.descriptor.title = `${handler.name}, with a receipt`;
    for (const stratum of STRATA) this.attach(handler, stratum);
  }

  private attach(handler: HandlerUnderConstruction, stratum: HandlerStratum): void {
    handler.intercept(stratum, async (execution, next) => {
      const principal = execution.principal?.id ?? 'nobody';
      this.log.lines.push(`${stratum} of ${execution.handler.name}, ${principal}`);
      if (execution.arguments.refusedBy === stratum) throw new Error(`refused by ${stratum}`);
      return next();
    });
  }
}

/** Owns the calls of receipt tools by clients that can fetch: runs them in the background, and answers with the receipt. */
@Injectable()
@McpSeam('dispatch-interceptor')
export class ReceiptInterceptor implements McpDispatchInterceptor {
  private last = 0;

  constructor(
    @Inject(CallRunner) private readonly calls: CallRunner,
    @Inject(Receipts) private readonly receipts: Receipts,
  ) {}

  async intercept(context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    const call = toolCallOf(context);
    const prefix = call && prefixOf(call.handler);
    if (!call || prefix === undefined || !declaresExtension(context.envelope.clientCapabilities, RECEIPTS)) return next();
    const receiptId = `${prefix}-${++this.last}`;
    const entry = new ReceiptEntry();
    const admitted = new Promise<void>(
      (resolve) => void this.run({ context, call, entry }, resolve).then((outcome) => (entry.outcome = outcome)),
    );
    await Promise.race([admitted, this.ended(entry)]);
    if (!entry.owner && entry.outcome) return this.calls.reply(context, call, entry.outcome);
    this.receipts.set(receiptId, entry);
    return { resultType: 'receipt', receiptId };
  }

  private async ended(entry: ReceiptEntry): Promise<void> {
    while (!entry.outcome) await new Promise((resolve) => setImmediate(resolve));
  }

  private run(parts: { context: DispatchContext; call: ToolCallTarget; entry: ReceiptEntry }, admitted: () => void): Promise<CallOutcome> {
    const { context, call, entry } = parts;
    const invocation = this.calls.invocation(context, call);
    return Promise.resolve(this.calls.run({ ...invocation, ledger: [], admission: new ReceiptAdmission(entry, admitted) }));
  }
}

class ReceiptAdmission implements Admission {
  readonly when = 'start';

  constructor(
    private readonly entry: ReceiptEntry,
    private readonly admitted: () => void,
  ) {}

  async admit({ principal }: AdmissionState): Promise<Admitted> {
    const { entry } = this;
    entry.owner = principal ?? { id: 'nobody' };
    this.admitted();
    const recorder = { record: async (step: LedgerEntry): Promise<void> => void entry.recorded.push(step) };
    return { carrier: { signal: new AbortController().signal, progress: entry, recorder }, ready: Promise.resolve() };
  }
}

function prefixOf(tool: ToolDefinition): string | undefined {
  return tool.extensions.get(RECEIPT_PREFIX) as string | undefined;
}

/** `receipts/get`, `receipts/note` and what their routing header repeats. */
@Injectable()
@McpSeam('method-contributor')
@McpSeam('routed-param-contributor')
export class ReceiptMethods implements McpMethodContributor, RoutedParamContributor {
  constructor(@Inject(Receipts) private readonly receipts: Receipts) {}

  methods(): readonly McpMethod[] {
    return [
      { name: 'receipts/get', requiredExtension: RECEIPTS, handle: (context) => this.get(context) },
      { name: 'receipts/note', handle: async ({ params, principal }) => note(params, principal) },
    ];
  }

  routedParams(): readonly RoutedParam[] {
    return [
      { method: 'receipts/get', param: 'receiptId', presence: 'required' },
      { method: 'receipts/note', param: 'subject', presence: 'if-present' },
    ];
  }

  private async get({ params, principal }: DispatchContext): Promise<McpResult> {
    const entry = typeof params.receiptId === 'string' ? this.receipts.get(params.receiptId) : undefined;
    if (!entry || entry.owner?.id !== (principal?.id ?? 'nobody')) throw invalidParams('Unknown receipt');
    const { progress, recorded, outcome } = entry;
    const seen = { progress: progress as unknown as JsonObject[], steps: recorded.map(({ key }) => key) };
    if (!outcome) return { resultType: 'complete', state: 'open', ...seen };
    if (outcome.kind !== 'completed') return { resultType: 'complete', state: outcome.kind, ...seen };
    return { resultType: 'complete', state: 'paid', ...seen, result: outcome.result as unknown as JsonObject };
  }
}

function note(params: JsonObject, principal: McpPrincipal | undefined): McpResult {
  if (params.subject === 'unlucky') throw new LedgerClosedError();
  return { resultType: 'complete', subject: params.subject ?? null, by: principal?.id ?? null };
}

/** An exception of the application's own, which says nothing to a client by itself. */
export class LedgerClosedError extends Error {}

@Injectable()
@McpSeam('error-translator')
export class ReceiptErrors implements McpErrorTranslator {
  translate(error: unknown): McpError | McpToolError | undefined {
    return error instanceof LedgerClosedError ? new McpError(1099, 'The ledger is closed') : undefined;
  }
}

@Injectable()
@McpSeam('capabilities-customizer')
export class ReceiptCapability implements ServerCapabilitiesCustomizer {
  customize(capabilities: ServerCapabilities): void {
    capabilities.extensions = { ...capabilities.extensions, [RECEIPTS]: { currency: 'EUR' } };
  }
}

/** Knows callers by a header. */
@Injectable()
export class BadgePrincipalSource extends McpPrincipalSource {
  resolve(request: object): McpPrincipal | undefined {
    const badge = (request as { headers: Record<string, unknown> }).headers['x-badge'];
    return typeof badge === 'string' ? { id: badge } : undefined;
  }
}

/** Resolves `${KEY}` to the key itself, in capitals. */
@Injectable()
export class LoudValueResolver extends McpValueResolver {
  override resolve(text: string): string {
    return text.replace(/\$\{(\w+)\}/g, (_match, key: string) => key.toUpperCase());
  }
}

export const RECEIPT_PROVIDERS: Provider[] = [
  Receipts,
  StrataLog,
  ReceiptCustomizer,
  ReceiptInterceptor,
  ReceiptMethods,
  ReceiptErrors,
  ReceiptCapability,
];

@Module({ providers: RECEIPT_PROVIDERS, exports: RECEIPT_PROVIDERS })
export class ReceiptsModule {}
