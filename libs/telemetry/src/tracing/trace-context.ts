import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { type Context, context, isSpanContextValid, trace } from '@opentelemetry/api';
import { isTracing } from './tracing-state.ts';

const pool = Buffer.alloc(4_096);
let used = pool.length;

/**
 * Random bytes, cryptographically strong, as hexadecimal digits. Taken from a pool: a system call for a
 * few bytes costs as much as for thousands.
 */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

/** Who does the work in progress, for security events. */
export interface Actor {
  /** Name of the user or client whose rights are used; undefined before it is known. */
  readonly by?: string | undefined;
  /** The client, key or session that acts for the user. */
  readonly byClientId?: string | undefined;
  readonly address?: string | undefined;
}

/** W3C trace context of the work in progress. */
export interface TraceContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits: the parent of outgoing calls. */
  readonly spanId: string;
  /** Flags of the caller; 1 means sampled. */
  readonly flags: number;
  /** Who does the work; set when it is known. */
  actor?: () => Actor;
  /** Why the request changes something, as it says in `X-Change-Reason`. */
  changeReason?: string;
  /** The operation of the request, as the access log names it. */
  operation?: string;
}

const storage = new AsyncLocalStorage<TraceContext>();

/** Runs `work`, and everything it starts, in a trace. */
export const runInTrace = <T>(context: TraceContext, work: () => T): T => storage.run(context, work);

/**
 * The trace of an incoming request: of the active span when the SDK runs, else continued from its
 * `traceparent`, else new.
 *
 * @param isTrusted false for external callers: their trace is continued, but their flag does not decide whether it is
 *   recorded
 */
export function traceOfRequest(traceparent: string | undefined, isTrusted = true): TraceContext {
  const active = activeSpanContext();
  if (active !== undefined) return active;
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  if (parent === undefined) {
    return { traceId: randomHex(16), spanId: randomHex(8), flags: 0 };
  }
  return { traceId: parent.traceId, spanId: randomHex(8), flags: isTrusted ? parent.flags : 0 };
}

/** Id of the current trace, or undefined outside a request. */
export const currentTraceId = (): string | undefined => (activeSpanContext() ?? storage.getStore())?.traceId;

/** Names who does the work in progress; the facts are read when an event needs them. */
export function noteActor(actor: () => Actor): void {
  const current = storage.getStore();
  if (current !== undefined) current.actor = actor;
}

/** Who does the work in progress; undefined for work of the process itself. */
export const currentActor = (): Actor | undefined => storage.getStore()?.actor?.();

/** Notes the reason that the request gives for its changes (contract/history.md). */
export function noteChangeReason(reason: string): void {
  const current = storage.getStore();
  if (current !== undefined) current.changeReason = reason;
}

/** The reason that the request gives for its changes. */
export const currentChangeReason = (): string | undefined => storage.getStore()?.changeReason;

/** Notes the operation of the request, as the access log names it (contract/access-log.md#recorded). */
export function noteOperation(operation: string): void {
  const current = storage.getStore();
  if (current !== undefined) current.operation = operation;
}

/** The operation of the request, as the access log names it; undefined outside a request. */
export const currentOperation = (): string | undefined => storage.getStore()?.operation;

/** Header of calls between services that names the actor, as encoded JSON. */
export const ACTOR_HEADER = 'x-lintel-actor';

/** The header with the actor of the work in progress; none for work of the process itself. */
export function actorHeaders(): Readonly<Record<string, string>> {
  const actor = currentActor();
  return actor === undefined ? {} : { [ACTOR_HEADER]: encodeURIComponent(JSON.stringify(actor)) };
}

/** Value of the `traceparent` header or event attribute for outgoing calls. */
export function traceparentOf(context: TraceContext | undefined = currentTrace()): string | undefined {
  if (context === undefined) return undefined;
  return `00-${context.traceId}-${context.spanId}-${(context.flags & 1).toString(16).padStart(2, '0')}`;
}

/**
 * Whether the current work is in a trace that is not recorded: it has no spans, and our own code passes the trace
 * context to the services that it calls.
 */
export const isUnrecorded = (): boolean => storage.getStore() !== undefined && trace.getActiveSpan() === undefined;

/**
 * The header that passes the trace to outgoing calls. None in a trace that the SDK records: the SDK adds a header of
 * its own, and two headers would be invalid.
 */
export function traceHeaders(): { readonly traceparent?: string } {
  const traceparent = isRecorded() ? undefined : traceparentOf();
  return traceparent === undefined ? {} : { traceparent };
}

/** Whether the current work is in a trace that the SDK records: then the SDK adds the headers of outgoing calls. */
export const isRecorded = (): boolean => isTracing() && !isUnrecorded();

/**
 * The trace of the work that creates it, for callbacks that run in the trace of other work. Five microseconds cheaper
 * than `AsyncLocalStorage.snapshot`.
 */
export class TraceSnapshot {
  readonly #context: Context = context.active();
  readonly #own = storage.getStore();

  run<T>(work: () => T): T {
    return context.with(this.#context, () => storage.run(this.#own as TraceContext, work));
  }
}

/** The current trace, or undefined outside a request. */
export const currentTrace = (): TraceContext | undefined => activeSpanContext() ?? storage.getStore();

function activeSpanContext(): TraceContext | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  return { traceId: span.traceId, spanId: span.spanId, flags: span.traceFlags };
}

/** Parses a W3C `traceparent`; undefined if it is not valid (all-zero ids, version `ff`). */
export function parseTraceparent(header: string): TraceContext | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header.trim());
  if (match === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
