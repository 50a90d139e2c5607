import { type Metrics, NO_METRICS } from '@lintel/telemetry';

export type RunMode = 'direct' | 'background';

/** Counts runs of reports. */
export interface RunMetrics {
  /** Records the begin of a run; the returned function is to be called at its end. */
  begin(mode: RunMode): (outcome: 'ok' | 'error') => void;
}

const MODES = ['direct', 'background'] as const;

export function createRunMetrics(metrics: Metrics = NO_METRICS): RunMetrics {
  const running: Record<RunMode, number> = { direct: 0, background: 0 };
  for (const mode of MODES) metrics.observe('lintel.reports.runs.running', () => running[mode], { mode });
  return {
    begin(mode) {
      const startedAtMs = performance.now();
      running[mode] += 1;
      return (outcome) => {
        running[mode] -= 1;
        const seconds = (performance.now() - startedAtMs) / 1_000;
        metrics.histogram('lintel.reports.run.duration', { mode, outcome }).record(seconds);
      };
    },
  };
}
