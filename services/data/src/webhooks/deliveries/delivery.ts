import type { EntityChange } from '../../changes/entity-change.ts';

/** The change that a delivery tells of. */
export type ToldChange = Omit<EntityChange, 'place'>;

/** A change to be told to webhooks. */
export interface NewDelivery {
  readonly webhookIds: readonly string[];
  readonly eventId: string;
  /** ISO 8601, UTC. */
  readonly changedAt: string;
  readonly change: ToldChange;
}

/** A delivery that this process has under way, with what its webhook is at this moment. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly leaseId: string;
  readonly eventId: string;
  readonly changedAt: string;
  readonly change: ToldChange;
  /** Attempts, this one included. */
  readonly attempt: number;
  /** How long it has been tried. */
  readonly waitedMs: number;
  readonly webhook: {
    readonly url: string;
    readonly owner: string;
    readonly filter: string | undefined;
    /** Sealed; the former one as long as it is valid. */
    readonly secrets: readonly string[];
  };
}

/** How a delivery has ended. */
export type FinalState = 'delivered' | 'failed' | 'refused' | 'skipped';

/** What is kept of an attempt. */
export interface Attempt {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly durationMs: number;
}
