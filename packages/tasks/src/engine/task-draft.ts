import { hash } from 'node:crypto';
import type { McpPrincipal } from '@mocapi/core';
import type { DispatchContext, LedgerSnapshot, RequestEnvelope, ToolCallTarget } from '@mocapi/core/extension';
import { ROOT_ENDPOINT } from '@mocapi/core/internal';
import type { TaskSettings } from '../settings/task-settings.js';
import { runOf, type RunClaim, type TaskDraft, type TaskRecord } from '../record/task-record.js';

/** A tool call that may become a task. */
export interface TaskCall {
  readonly context: DispatchContext;
  readonly call: ToolCallTarget;
  readonly settings: TaskSettings;
}

/** Values of a draft that do not come from the call. */
export interface TaskDraftParts {
  readonly taskId: string;
  readonly principal: McpPrincipal | undefined;
  /** Origin of an anonymous caller, as the creating request shows it. */
  readonly origin: string | undefined;
  readonly ledger: LedgerSnapshot;
  readonly claim: RunClaim;
  readonly handlerVersion: string;
}

/** The record of a call that becomes a task: working from its first moment, under the run that already executes it. */
export function draftTask({ call, context, settings }: TaskCall, parts: TaskDraftParts): TaskDraft {
  const { envelope, endpoint } = context;
  const { taskId, principal, origin, ledger, claim, handlerVersion } = parts;
  const { clientInfo, trace } = envelope;
  return {
    taskId,
    toolName: call.handler.name,
    handlerVersion,
    arguments: call.arguments,
    ...(principal ? { principal } : {}),
    ...(principal || origin === undefined ? {} : { origin }),
    ...(endpoint === ROOT_ENDPOINT ? {} : { endpoint }),
    protocolVersion: envelope.protocolVersion,
    clientCapabilities: envelope.clientCapabilities,
    ...(clientInfo ? { clientInfo } : {}),
    ...(trace ? { traceContext: trace } : {}),
    status: 'working',
    ttlMs: settings.ttlMs,
    pollIntervalMs: settings.pollIntervalMs,
    ledger,
    run: runOf(claim),
  };
}

/** The envelope of every later execution: that of the request which created the task. */
export function envelopeOf({ protocolVersion, clientCapabilities, clientInfo, traceContext }: TaskRecord): RequestEnvelope {
  return {
    protocolVersion,
    clientCapabilities,
    ...(clientInfo ? { clientInfo } : {}),
    ...(traceContext ? { trace: traceContext } : {}),
  };
}

/** Characters of the digest of an address. */
const ORIGIN_LENGTH = 22;

/**
 * A digest of the address that a request came from, so that records hold no address; undefined for a request without one, such as one over stdio. An IPv6
 * address counts by its network (/64), which one client has to itself.
 */
export function originOf(request: object): string | undefined {
  const { ip } = request as { readonly ip?: unknown };
  if (typeof ip !== 'string' || ip === '') return undefined;
  return origins.get(ip) ?? digestOf(ip);
}

/** Digests of the addresses that called last, so that a busy one is not digested for each task. */
const origins = new Map<string, string>();
/** Addresses that are remembered. */
const REMEMBERED = 1000;

function digestOf(ip: string): string {
  const network = ip.includes(':') && !ip.includes('.') ? networkOf(ip) : ip;
  const origin = hash('sha256', `mcp-origin/1 ${network}`, 'base64url').slice(0, ORIGIN_LENGTH);
  if (origins.size >= REMEMBERED) origins.clear();
  origins.set(ip, origin);
  return origin;
}

/** The first four groups of an IPv6 address. */
function networkOf(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array.from({ length: missing }, () => '0')].slice(0, 4).join(':');
}
