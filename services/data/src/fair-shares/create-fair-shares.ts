import { FairQueue } from '@lintel/http';
import type { Database } from '@lintel/persistence';
import type { ReadDatabase } from '@lintel/reading';
import type { Metrics } from '@lintel/telemetry';
import type { DataConfig } from '../config.ts';
import { fairDatabase, fairReads } from './fair-database.ts';
import { StatementCosts } from './statement-costs.ts';

/** Puts a fair queue before the connections of each database that requests use. */
export interface FairShares {
  primary(database: Database): Database;
  /** Returns the same object for the same replica. */
  replica(database: ReadDatabase): ReadDatabase;
  reports(database: Database): Database;
}

export function createFairShares(
  { database: { poolSize, reportPoolSize }, shares }: DataConfig,
  metrics?: Metrics,
): FairShares {
  const queueOf = (
    name: string,
    capacity: number,
    heavyCapacity: number,
    costs: StatementCosts,
    more: { readonly heavyReserved?: number } = {},
  ): FairQueue =>
    new FairQueue({
      ...more,
      name,
      capacity,
      heavyCapacity: Math.max(1, heavyCapacity),
      maxWaiting: shares.maxWaiting,
      maxWaitingPerCaller: shares.maxWaitingPerUser,
      maxWaitMs: shares.maxWaitMs,
      onSlow: (statement) => costs.noteSlow(statement),
      metrics,
    });
  const half = Math.floor(poolSize / 2);
  const replicas = new WeakMap<ReadDatabase, ReadDatabase>();
  let found = 0;
  return {
    primary(database) {
      const costs = new StatementCosts();
      return fairDatabase(database, queueOf('database', poolSize, half, costs), costs);
    },
    replica(database) {
      const known = replicas.get(database);
      if (known !== undefined) return known;
      found += 1;
      const costs = new StatementCosts();
      const fair = fairReads(database, queueOf(`replica-${found}`, poolSize, half, costs), costs);
      replicas.set(database, fair);
      return fair;
    },
    reports(database) {
      const costs = new StatementCosts();
      // All statements are heavy: only the heavy capacity limits them, the total capacity is large enough. The runs of
      // one caller may use all connections but one: a run reads one data set at a time, so it never waits for itself.
      const queue = queueOf('report-database', 2 * reportPoolSize, reportPoolSize, costs, { heavyReserved: 1 });
      return fairDatabase(database, queue, costs);
    },
  };
}
