import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@lintel/contracts';
import { type Logger, withRemoteSpan } from '@lintel/telemetry';
import type { QueueMetrics } from './event-metrics.ts';
import { processingAttributes } from './messaging-metrics.ts';
import { type RetryPolicy, retryDelayMs } from './retry-policy.ts';

/** `abandoned`: the signal was aborted before there was a result; the event must be delivered again. */
export type DeliveryOutcome = 'handled' | 'refused' | 'abandoned';

export interface HandlingOptions {
  readonly queue: string;
  readonly handle: (envelope: Envelope) => Promise<void>;
  readonly retries: RetryPolicy;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Trace context of the publisher, if it differs from the one in the event. */
  readonly traceparent?: string | undefined;
  readonly measured: QueueMetrics;
}

/**
 * Hands an event to its handler until it succeeds, is refused for good or has failed too often. Waiting
 * happens here and not in a ladder of delay queues: a later event of the same subject must not overtake it.
 */
export async function handleWithRetries(envelope: Envelope, options: HandlingOptions): Promise<DeliveryOutcome> {
  options.measured.began(envelope.type);
  const outcome = await tryUntilDone(envelope, options);
  options.measured.ended(outcome);
  return outcome;
}

async function tryUntilDone(envelope: Envelope, options: HandlingOptions): Promise<DeliveryOutcome> {
  const { queue, retries, signal, logger } = options;
  const about = { queue, eventId: envelope.id, eventType: envelope.type };
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return 'abandoned';
    try {
      await handleOnce(envelope, options);
      return 'handled';
    } catch (error) {
      if (isFinal(error) || attempt >= retries.maxAttempts) {
        logger.error({ ...about, attempt, err: error }, 'Event refused by its handler');
        return 'refused';
      }
      options.measured.retried();
      const delayMs = retryDelayMs(retries, attempt);
      logger.warn({ ...about, attempt, delayMs, err: error }, 'Event not handled, trying again');
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function handleOnce(
  envelope: Envelope,
  { handle, measured, traceparent = envelope.traceparent }: HandlingOptions,
): Promise<void> {
  const from = measured.destinationOf(envelope.type);
  const attributes = { ...processingAttributes(from), 'messaging.message.id': envelope.id };
  const sinceMs = performance.now();
  try {
    await withRemoteSpan(`process ${from['messaging.destination.name']}`, attributes, traceparent, () =>
      handle(envelope),
    );
    measured.attempted(envelope.type, performance.now() - sinceMs);
  } catch (error) {
    measured.attempted(envelope.type, performance.now() - sinceMs, error);
    throw error;
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof Error && 'retryable' in error && error.retryable === false;
