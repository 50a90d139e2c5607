/** State of a connection pool. */
export interface PoolMetrics {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}
