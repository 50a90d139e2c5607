import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventHandler, HandledEvent } from '@lintel/application';
import { callInTransaction, currentWriteDependencies, OpenLifetime, type WriteDependencies } from '@lintel/entities';
import { createQueueMetrics, retryDelayMs } from '@lintel/events';
import type { HandlerDelivery, HandlerSelection, HandlerStore } from '@lintel/persistence';
import { type Logger, type Metrics, withRemoteSpan } from '@lintel/telemetry';
import { kindOfError, principalOfAuthor } from '../access/principal-of-author.ts';
import type { UserReading } from '../access/principal-of-user.ts';
import { within } from '../jobs/within.ts';
import { declaredEvent, isOfAnother, UnreadableEvent } from './declared-event.ts';

export interface RunnerDependencies extends UserReading {
  /** Whether events are handled by `next` alone. */
  readonly isOnDemand?: boolean | undefined;
  readonly store: HandlerStore;
  readonly write: WriteDependencies;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
}

/** An attempt to handle an event. */
export interface TriedEvent {
  readonly handler: string;
  readonly type: string;
  readonly subject: string;
  /**
   * 1 for the first attempt; 0 if an earlier event of the subject waits, which this one must not overtake, or for an
   * event of another source.
   */
  readonly attempt: number;
  /** The kind of the error; absent if the event is handled. */
  readonly error?: string;
}

/** Delivers the events of one handler, one after the other; of several processes one at a time does. */
export interface HandlerRunner {
  /** Looks for events now, instead of after the pause. */
  wake(): void;
  /** Delivers the next event; returns undefined without one. */
  next(): Promise<TriedEvent | undefined>;
  /** Takes no further event; aborts the one that is being handled if it takes too long. */
  stop(): Promise<void>;
}

const POLL_MS = 2_000;
/** Each look begins at the position of the handler: so few events of others are after it, also under load. */
const ADVANCE_MS = 1_000;
/** Longest wait for the handler at the end of the process. */
const STOP_MS = 10_000;
/** An aborted handler may end within this time. */
const ABORT_MS = 1_000;
const DEFAULT_RETRIES = 10;
const DEFAULT_TIMEOUT_SECONDS = 60;
const BACK_OFF = { initialDelayMs: 2_000, maxDelayMs: 3_600_000 };

/** Limits an attempt: its signal is aborted after the time, or when the process ends. */
function limitOf(seconds: number, ending: AbortSignal) {
  const late = new AbortController();
  const signal = AbortSignal.any([ending, late.signal]);
  const timer = setTimeout(() => late.abort(new Error(`the attempt exceeded ${seconds}s`)), seconds * 1_000);
  return {
    signal,
    /** Does not wait longer for work that ignores the signal. */
    during: (work: () => Promise<unknown>) =>
      Promise.race([work(), once(late.signal, 'abort').then(() => late.signal.throwIfAborted())]),
    end: () => clearTimeout(timer),
  };
}

/** Creates the runner, which begins at once. */
export function createHandlerRunner(
  { on, options, handle }: EventHandler,
  selection: HandlerSelection,
  deps: RunnerDependencies,
): HandlerRunner {
  const { name, as, retries = DEFAULT_RETRIES, timeout = DEFAULT_TIMEOUT_SECONDS } = options;
  const { store, write } = deps;
  const logger = deps.logger.child({ handler: name });
  const measured = createQueueMetrics(deps.metrics, name, 'outbox');
  const ending = new AbortController();
  let isStopping = false;
  let isWoken = false;
  let endPause = (): void => {};
  let advancedAt = 0;
  /** Whether the last look found an event: then the next one is taken without looking first. */
  let isBusy = false;

  const wake = (): void => {
    isWoken = true;
    endPause();
  };

  async function next(): Promise<TriedEvent | undefined> {
    const found = isBusy ? undefined : await store.peek(selection);
    if (found === undefined && !isBusy) {
      if (Date.now() - advancedAt > ADVANCE_MS) {
        advancedAt = Date.now();
        await store.advance(selection);
      }
      return undefined;
    }
    isBusy = false;
    let taken: HandlerDelivery | undefined = found;
    let hasBegun = false;
    try {
      const principal = await principalOfAuthor(as, `handler ${name}`, deps);
      const lifetime = new OpenLifetime();
      const current = await currentWriteDependencies(write);
      const limit = limitOf(timeout, ending.signal);
      const { signal } = limit;
      const call = { deps: current, principal, signal, lifetime };
      await callInTransaction(call, async (data, transaction) => {
        taken = await store.take(transaction, selection);
        if (taken?.mustWait === true) store.postpone(transaction, name, taken);
        else if (taken !== undefined && isOfAnother(on, taken.envelope)) store.pass(transaction, name, taken);
        else if (taken !== undefined) {
          const { envelope, attempts } = taken;
          const { id, subject = '', time } = envelope;
          const { type, data: known } = declaredEvent(on, envelope);
          const event: HandledEvent<never> = { id, type, subject, time, data: known as never, attempt: attempts + 1 };
          const log = logger.child({ eventId: id, attempt: event.attempt });
          const noted = { info: (text: string) => log.info({}, text), warn: (text: string) => log.warn({}, text) };
          if (!hasBegun) measured.began(type);
          hasBegun = true;
          await measure(taken, () => limit.during(async () => handle({ event, data, signal, log: noted })));
          store.pass(transaction, name, taken);
        }
      }).finally(() => {
        lifetime.end();
        limit.end();
      });
      if (hasBegun) measured.ended('handled');
      isBusy = taken !== undefined;
      return taken && triedOf(taken);
    } catch (error) {
      if (hasBegun) measured.ended('abandoned');
      if (taken === undefined || ending.signal.aborted) throw error;
      return { ...triedOf(taken), error: await fail(taken, error) };
    }
  }

  async function measure({ envelope: { id, type, traceparent } }: HandlerDelivery, work: () => Promise<unknown>) {
    const destination = measured.destinationOf(type);
    const sinceMs = performance.now();
    const attributes = { ...destination, 'messaging.operation.type': 'process', 'messaging.message.id': id };
    try {
      await withRemoteSpan(`process ${destination['messaging.destination.name']}`, attributes, traceparent, work);
      measured.attempted(type, performance.now() - sinceMs);
    } catch (error) {
      measured.attempted(type, performance.now() - sinceMs, error);
      throw error;
    }
  }

  const triedOf = ({ attempts, mustWait, envelope }: HandlerDelivery): TriedEvent => ({
    handler: name,
    type: envelope.type,
    subject: envelope.subject ?? '',
    attempt: mustWait || isOfAnother(on, envelope) ? 0 : attempts + 1,
  });

  async function fail(delivery: HandlerDelivery, error: unknown): Promise<string> {
    const attempt = delivery.attempts + 1;
    const isLast = attempt > retries || error instanceof UnreadableEvent;
    const delayMs = isLast ? undefined : retryDelayMs(BACK_OFF, attempt);
    const about = { error, eventId: delivery.envelope.id, eventType: delivery.envelope.type, attempt };
    if (isLast) logger.error(about, 'an event is a dead letter of its handler');
    else logger.warn({ ...about, delayMs }, 'an event was not handled, and will be tried again');
    if (!isLast) measured.retried();
    const kind = kindOfError(error, 'event');
    await store.fail(name, delivery, { error: kind, delayMs });
    return kind;
  }

  async function pause(): Promise<void> {
    if (isWoken || isStopping) return;
    const timer = new AbortController();
    endPause = () => timer.abort();
    await sleep(POLL_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      let hadEvent = false;
      try {
        hadEvent = (await next()) !== undefined;
      } catch (error) {
        if (!isStopping) logger.error({ error }, 'events could not be delivered to a handler');
      }
      if (!hadEvent) await pause();
    }
  }

  const running = deps.isOnDemand === true ? Promise.resolve() : run();
  return {
    wake,
    next,
    async stop() {
      isStopping = true;
      wake();
      await within(STOP_MS, running);
      ending.abort(new Error('the process ends'));
      await within(ABORT_MS, running);
    },
  };
}
