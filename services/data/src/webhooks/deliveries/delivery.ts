import type { EntityChange } from '../../changes/entity-change.ts';

/** The change that a delivery sends, or an event of the application: `entity` is its type, `id` its subject. */
export type DeliveredChange = Omit<EntityChange, 'sequence' | 'origin' | 'kind'> & {
  readonly kind: EntityChange['kind'] | 'published';
};

/** A delivery that this process has claimed, with the current state of its webhook. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly leaseId: string;
  readonly eventId: string;
  readonly changedAt: string;
  readonly change: DeliveredChange;
  /** The data of an event of the application, as JSON. */
  readonly data?: string | undefined;
  /** Number of attempts, including this one. */
  readonly attempt: number;
  /** Time since the first attempt. */
  readonly waitedMs: number;
  readonly webhook: {
    readonly url: string;
    readonly owner: string;
    readonly filter: string | undefined;
    /** Attributes of its condition on new values. */
    readonly became: readonly string[];
    /** Encrypted; includes the previous one while it is valid. */
    readonly secrets: readonly string[];
  };
}

/** The final states of a delivery. */
export type FinalState = 'delivered' | 'failed' | 'refused' | 'skipped';

/** The stored result of an attempt. */
export interface Attempt {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly durationMs: number;
}
