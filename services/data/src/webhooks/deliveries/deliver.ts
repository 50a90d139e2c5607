import type { Logger } from '@lintel/telemetry';
import type { SecretEncryption } from '../definitions/create-secret-encryption.ts';
import type { Sender, SendResult } from '../outgoing/create-sender.ts';
import { signedHeaders } from '../outgoing/sign-message.ts';
import type { DeliveryDecision } from './build-message.ts';
import type { DeliveryStore } from './create-delivery-store.ts';
import type { Attempt, ClaimedDelivery, FinalState } from './delivery.ts';

/** Result of an attempt; `retried` is not final. */
export type Outcome = FinalState | 'retried';

export interface DeliverDependencies {
  readonly store: Pick<DeliveryStore, 'finish' | 'retry'>;
  readonly sender: Sender;
  readonly encryption: SecretEncryption;
  readonly decide: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<DeliveryDecision>;
  readonly giveUpAfterMs: number;
  /** Delay before the next attempt. */
  readonly delayMs: (attempt: number) => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'error'>;
}

/** The receiver is not called; the cause is only in the log of the service. */
const UNREADABLE = {
  kind: 'unreadable',
  result: { isTaken: false, error: 'The change could not be read; see the log of the service' },
} as const;

const STATES = { nothing: 'skipped', refused: 'refused' } as const;

/** Makes one attempt and stores its result. */
export async function deliver(
  delivery: ClaimedDelivery,
  deps: DeliverDependencies,
  signal: AbortSignal,
): Promise<Outcome> {
  const { store } = deps;
  const startedMs = performance.now();
  const attempt = (parts: Omit<Attempt, 'durationMs'>): Attempt => ({
    ...parts,
    durationMs: performance.now() - startedMs,
  });
  const decision = await decideOrLog(delivery, deps, signal);
  if (decision.kind === 'nothing' || decision.kind === 'refused') {
    const state = STATES[decision.kind];
    await store.finish(delivery, state, attempt({ error: decision.reason }));
    return state;
  }
  const result: SendResult =
    decision.kind === 'message' ? await sendSigned(delivery, decision.body, deps, signal) : decision.result;
  const { status, error } = result;
  if (result.isTaken) {
    await store.finish(delivery, 'delivered', attempt({ status }));
    return 'delivered';
  }
  const delayMs = deps.delayMs(delivery.attempt);
  if (delivery.waitedMs + delayMs > deps.giveUpAfterMs) {
    await store.finish(delivery, 'failed', attempt({ status, error }));
    return 'failed';
  }
  await store.retry(delivery, attempt({ status, error }), delayMs);
  return 'retried';
}

/** A change that cannot be read must not block others for ever: it is retried and abandoned like a refused message. */
async function decideOrLog(delivery: ClaimedDelivery, { decide, logger }: DeliverDependencies, signal: AbortSignal) {
  try {
    return await decide(delivery, signal);
  } catch (err) {
    if (signal.aborted) throw err;
    logger.error({ err, delivery: delivery.id }, 'The change of a webhook could not be read');
    return UNREADABLE;
  }
}

async function sendSigned(
  { eventId, webhook }: ClaimedDelivery,
  body: string,
  { encryption, sender, now }: DeliverDependencies,
  signal: AbortSignal,
) {
  const secrets = webhook.secrets.flatMap((encrypted) => encryption.decrypt(encrypted) ?? []);
  // No receiver could verify the message. It is sent after the previous key or a new secret is configured.
  if (secrets.length === 0) return { isTaken: false, error: 'The secret is of another svc.webhooks.encryption-key' };
  return sender.send(webhook.url, signedHeaders({ id: eventId, body }, secrets, now()), body, signal);
}
