import type { LatencySummary } from '../probe/latencies.ts';

/** Ordinary users, and how they work. */
export interface CrowdPlan {
  readonly url: string;
  /** Their passwords are `secret-of-` and the name. */
  readonly usernames: readonly string[];
  /** Between two requests of a user: at random within it. */
  readonly pauseMs: readonly [min: number, max: number];
}

/** What the users have seen. */
export interface CrowdReport {
  readonly all: LatencySummary;
  readonly byKind: Readonly<Record<string, LatencySummary>>;
  /** Of the user with the highest 99th percentile. */
  readonly slowestUser: LatencySummary;
  /** Responses that they must not get, with their number. */
  readonly errors: Readonly<Record<string, number>>;
}

export type CrowdCommand = { readonly kind: 'begin'; readonly plan: CrowdPlan } | { readonly kind: 'end' };
export type CrowdResponse = { readonly kind: 'began' } | { readonly kind: 'ended'; readonly report: CrowdReport };
