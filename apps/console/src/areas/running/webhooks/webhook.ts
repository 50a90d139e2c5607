/** A webhook as the list has it. */
export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly entityName: string;
  readonly changes: string;
  readonly active: boolean;
  readonly owner: string;
  readonly replayFrom?: string | null;
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
