export type { Database, OutboxEvent, Statement, StatementRunner, Transaction } from './database.ts';
export type { PoolMetrics } from './pool-metrics.ts';
