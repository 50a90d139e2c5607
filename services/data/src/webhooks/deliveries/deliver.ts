import type { Logger } from '@lintel/telemetry';
import type { SecretSeal } from '../definitions/create-secret-seal.ts';
import type { Answer, Sender } from '../outgoing/create-sender.ts';
import { signedHeaders } from '../outgoing/sign-message.ts';
import type { DeliveryStore } from './create-delivery-store.ts';
import type { Attempt, ClaimedDelivery, FinalState } from './delivery.ts';
import type { Told } from './tell-owner.ts';

/** What an attempt came to; `retried` goes on. */
export type Outcome = FinalState | 'retried';

export interface DeliverDependencies {
  readonly store: Pick<DeliveryStore, 'finish' | 'retry'>;
  readonly sender: Sender;
  readonly seal: SecretSeal;
  readonly tell: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Told>;
  readonly giveUpAfterMs: number;
  /** Wait before the attempt that follows this one. */
  readonly delayMs: (attempt: number) => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'error'>;
}

/** The receiver is not called; what went wrong is in the log of the service alone. */
const UNREADABLE = {
  kind: 'unreadable',
  answer: { isTaken: false, error: 'The change could not be read; see the log of the service' },
} as const;

const STATES = { nothing: 'skipped', refused: 'refused' } as const;

/** Makes one attempt and keeps what it came to. */
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
  const told = await tellOrLog(delivery, deps, signal);
  if (told.kind === 'nothing' || told.kind === 'refused') {
    const state = STATES[told.kind];
    await store.finish(delivery, state, attempt({ error: told.reason }));
    return state;
  }
  const answer: Answer = told.kind === 'message' ? await sendSigned(delivery, told.body, deps, signal) : told.answer;
  const { status, error } = answer;
  if (answer.isTaken) {
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

/** A change that can never be read must not hold up others for ever: it waits, and is given up, as one not taken. */
async function tellOrLog(delivery: ClaimedDelivery, { tell, logger }: DeliverDependencies, signal: AbortSignal) {
  try {
    return await tell(delivery, signal);
  } catch (err) {
    if (signal.aborted) throw err;
    logger.error({ err, delivery: delivery.id }, 'The change of a webhook could not be read');
    return UNREADABLE;
  }
}

async function sendSigned(
  { eventId, webhook }: ClaimedDelivery,
  body: string,
  { seal, sender, now }: DeliverDependencies,
  signal: AbortSignal,
) {
  const secrets = webhook.secrets.flatMap((sealed) => seal.open(sealed) ?? []);
  // Nobody could verify it. Whoever sets the key of before, or a new secret, gets what waits.
  if (secrets.length === 0) return { isTaken: false, error: 'The secret is of another svc.webhooks.encryption-key' };
  return sender.send(webhook.url, signedHeaders({ id: eventId, body }, secrets, now()), body, signal);
}
