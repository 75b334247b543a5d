import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { checkCompleterNames } from '../../discovery/check-option-names.js';
import { COMPLETER_METADATA, type McpCompleteOptions } from '../../decorators/handler-metadata.js';
import { methodsOfHosts, type HostMethod } from '../../discovery/find-handlers.js';
import type { PromptDefinition, ResourceTemplateDefinition } from '../../discovery/handler-definition.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { DefinitionFault } from '../../errors/definition-fault.js';
import type { McpCompletion } from '../../results/map-completion.js';
import { hasProperty } from '../../schema/property-values.js';
import { ResolvedMcpOptions } from '../../options/resolve-mcp-options.js';
import { McpValueResolver } from '../../seams/value-resolver.js';
import { enhancerFault } from './completer-enhancers.js';
import { HandlerHost } from '../nest/handler-host.js';
import { PreparedHandlers } from '../run/prepared-handler.js';
import { methodOf, type MethodRef } from '../../nest/metadata.js';

/** Context of a completer, besides the value and the other arguments. */
export interface McpCompletionContext {
  readonly principal: McpPrincipal | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** A handler whose arguments can be completed: a prompt, or a resource template. */
export type CompletedHandler = PromptDefinition | ResourceTemplateDefinition;

/** One method that completes an argument. */
export interface Completer {
  readonly where: string;
  /** @param request what request-scoped providers of its host get */
  complete(request: object, given: CompleterInput): Promise<readonly string[] | McpCompletion>;
}

/** Arguments of a completer's method, in this order. */
export type CompleterInput = readonly [value: string, args: Readonly<Record<string, string>>, context: McpCompletionContext];

/** Finds the owner of a completer: the prompt of a name, or the template. */
export type FindOwner = (options: McpCompleteOptions) => CompletedHandler | undefined;

/** The methods that complete arguments, by what they complete. */
export class Completers {
  constructor(private readonly byArgument: ReadonlyMap<string, Completer>) {}

  /** Whether there is any. */
  get any(): boolean {
    return this.byArgument.size > 0;
  }

  find(owner: CompletedHandler, argument: string): Completer | undefined {
    return this.byArgument.get(keyOf(owner, argument));
  }
}

interface Finding {
  readonly ownerOf: FindOwner;
  readonly faults: DefinitionFault[];
  readonly byArgument: Map<string, Completer>;
}

/** Finds the methods that `@McpComplete` marks, at boot. */
@Injectable()
export class CompleterFinder {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(McpValueResolver) private readonly resolver: McpValueResolver,
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(ResolvedMcpOptions) private readonly options: ResolvedMcpOptions,
  ) {}

  /** All of them. Those that complete nothing, or the same, go to `faults`. */
  find(ownerOf: FindOwner, faults: DefinitionFault[]): Completers {
    const { discovery, scanner } = this;
    const finding = { ownerOf, faults, byArgument: new Map<string, Completer>() };
    for (const method of methodsOfHosts({ discovery, scanner, endpoint: this.options.endpoint })) {
      const marks: McpCompleteOptions[] = Reflect.getMetadata(COMPLETER_METADATA, methodOf(method)) ?? [];
      for (const mark of marks) {
        faults.push(...checkCompleterNames(`${method.classRef.name}.${method.methodName}`, mark));
        this.add(method, this.resolved(mark), finding);
      }
    }
    return new Completers(finding.byArgument);
  }

  private resolved({ prompt, template, argument }: McpCompleteOptions): McpCompleteOptions {
    return prompt === undefined
      ? { template: this.resolver.resolve(template), argument }
      : { prompt: this.resolver.resolve(prompt), argument };
  }

  private add(method: HostMethod, options: McpCompleteOptions, { ownerOf, faults, byArgument }: Finding): void {
    const where = `${method.classRef.name}.${method.methodName}`;
    const owner = ownerOf(options);
    const key = owner && keyOf(owner, options.argument);
    const former = key === undefined ? undefined : byArgument.get(key);
    const ownerRef = owner && this.prepared.get(owner)?.hiding?.ref;
    const fault = faultOf(method, options, { owner, ownerRef, former });
    if (fault) faults.push({ where, ...fault });
    else byArgument.set(key!, completerOf(method, where));
  }
}

function faultOf(
  method: HostMethod,
  { prompt, template, argument }: McpCompleteOptions,
  { owner, ownerRef, former }: { owner: CompletedHandler | undefined; ownerRef: MethodRef | undefined; former: Completer | undefined },
): Omit<DefinitionFault, 'where'> | undefined {
  const what = prompt === undefined ? `template "${template}"` : `prompt "${prompt}"`;
  if (!owner) return { problem: `it completes the ${what}, which does not exist`, fix: 'Correct the name, or remove @McpComplete.' };
  if (!hasProperty(owner.inputSchema.json, argument))
    return { problem: `the ${what} has no argument "${argument}"`, fix: 'Name one of its arguments.' };
  if (former) return { problem: `"${argument}" of the ${what} is already completed by ${former.where}`, fix: 'Remove one of the two.' };
  return enhancerFault(method, ownerRef, what);
}

function completerOf(method: HostMethod, where: string): Completer {
  const host = new HandlerHost(method.wrapper);
  const call = methodOf(method);
  return {
    where,
    async complete(request, given) {
      const { instance } = await host.resolve(request);
      return (await call.apply(instance, [...given])) as readonly string[] | McpCompletion;
    },
  };
}

function keyOf(owner: CompletedHandler, argument: string): string {
  return JSON.stringify([owner.kind, owner.kind === 'prompt' ? owner.name : owner.descriptor.uriTemplate, argument]);
}
