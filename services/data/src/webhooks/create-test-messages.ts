import { randomUUID } from 'node:crypto';
import type { Database } from '@lintel/persistence';
import { Semaphore } from '@lintel/timing';
import type { SecretEncryption } from './definitions/create-secret-encryption.ts';
import type { Sender } from './outgoing/create-sender.ts';
import { signedHeaders } from './outgoing/sign-message.ts';

/** Test messages that a process sends at the same time; others wait. */
const CONCURRENCY = 4;

/** The result of a test message. */
export interface TestResult {
  /** Whether the receiver responded with 2xx. */
  readonly accepted: boolean;
  readonly status: number | null;
  /** Why it was not accepted; contains no text of the receiver. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface TestMessageDependencies {
  readonly database: Pick<Database, 'query'>;
  readonly encryption: SecretEncryption;
  readonly sender: Sender;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Sends a signed message without data to the receiver of a webhook; undefined if there is no such webhook. */
export type SendTestMessage = (webhookId: string, signal: AbortSignal) => Promise<TestResult | undefined>;

const STORED = {
  name: 'lintel_webhook_to_test',
  text: `SELECT url, secret, CASE WHEN previous_secret_until > now() AT TIME ZONE 'UTC' THEN previous_secret END AS previous
FROM sys.webhook WHERE id = $1::uuid`,
};

/** Once, without a delivery and its log: also to a webhook that is not active. */
export function createTestMessages({ database, encryption, sender, now }: TestMessageDependencies): SendTestMessage {
  const permits = new Semaphore(CONCURRENCY);
  return async (webhookId, signal) => {
    const [stored] = await database.query<{ url: string; secret: string; previous: string | null }>({
      ...STORED,
      values: [webhookId],
    });
    if (stored === undefined) return undefined;
    const secrets = [stored.secret, stored.previous].flatMap((encrypted) =>
      encrypted === null ? [] : (encryption.decrypt(encrypted) ?? []),
    );
    if (secrets.length === 0) return failed('The secret is of another svc.webhooks.encryption-key');
    const permit = await permits.acquire({ signal });
    if (permit === undefined) return failed('The client has disconnected');
    const startedMs = performance.now();
    try {
      const timestamp = new Date(now()).toISOString();
      const body = JSON.stringify({ type: 'webhook.test.v1', timestamp, data: {} });
      const headers = signedHeaders({ id: `test-${randomUUID()}`, body }, secrets, now());
      const { isTaken, status, error } = await sender.send(stored.url, headers, body, signal);
      const durationMs = Math.round(performance.now() - startedMs);
      return { accepted: isTaken, status: status ?? null, error: error ?? null, durationMs };
    } finally {
      permit.release();
    }
  };
}

const failed = (error: string): TestResult => ({ accepted: false, status: null, error, durationMs: 0 });
