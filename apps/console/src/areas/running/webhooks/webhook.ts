/** A webhook, as far as the rights of the caller show it. */
export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly entityName: string;
  /** Some of `CHANGES`, separated by commas. */
  readonly changes: string;
  /** A filter of the search API, as JSON. */
  readonly filter?: string | null;
  readonly active: boolean;
  readonly owner: string;
  readonly replayFrom?: string | null;
}

/** The changes that a webhook can send. */
export const CHANGES = ['created', 'updated', 'deleted'] as const;

/** The changes that a webhook is sent. */
export const changesOf = (changes: string): string[] => changes.split(',').map((each) => each.trim());

const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks: 32 random bytes in base64. */
export function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** A delivery of the log. */
export interface Delivery {
  readonly id: string;
  readonly state: 'pending' | 'delivered' | 'failed' | 'refused' | 'skipped';
  readonly entityName: string;
  readonly entityId: string;
  readonly change: string;
  readonly changedAt: string;
  readonly attempts: number;
  readonly nextAttempt?: string | null;
  readonly lastStatus?: number | null;
  readonly lastError?: string | null;
}

/** The colour of the state of a delivery. */
export const STATE_COLORS = {
  pending: 'blue',
  delivered: 'green',
  failed: 'red',
  refused: 'orange',
  skipped: 'gray',
} as const;
