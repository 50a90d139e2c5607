/** A process as it reports its state. */
export interface RunningProcess {
  readonly id: string;
  readonly service: string;
  readonly host: string;
  readonly processId: number;
  readonly nodeVersion: string;
  readonly startedAt: string;
  readonly reportedAt: string;
  readonly status: 'ready' | 'degraded' | 'not ready';
  readonly checks: Readonly<Record<string, { readonly status: 'up' | 'degraded' | 'down'; readonly reason?: string }>>;
  readonly memoryBytes: number;
}
