import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessDirectory } from '@lintel/cache';
import type { EffectiveSetting } from '@lintel/config';
import type { ProcessReport, SlowStatement } from '@lintel/contracts';
import { checkReadiness, type Readiness } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';

const INTERVAL_MS = 5_000;
/** The first requests come before the first report, whose settings take ten milliseconds to write. */
const DELAY_MS = 1_000;
/** Reports between two that contain the settings as well. */
const REPORTS_PER_SETTINGS = 12;

export interface ProcessReportsOptions {
  readonly service: string;
  readonly processes: ProcessDirectory;
  readonly readiness: Readiness;
  /** The properties in force, without secrets. */
  readonly settings: () => readonly EffectiveSetting[];
  readonly slowStatements?: (() => readonly SlowStatement[]) | undefined;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly intervalMs?: number;
  /** Until the first report. */
  readonly delayMs?: number;
}

export interface ProcessReports {
  /** Resolves when the first report was stored, or could not be. */
  readonly first: Promise<void>;
  /** Removes the process. */
  close(): Promise<void>;
}

/**
 * Reports the state of this process to the others every five seconds: health, the properties in force, slow statements.
 * A store that is unavailable is only logged, once.
 */
export function startProcessReports(options: ProcessReportsOptions): ProcessReports {
  const { service, processes, logger, clock, intervalMs = INTERVAL_MS, delayMs = DELAY_MS } = options;
  const host = hostname();
  const id = `${service}-${host}-${process.pid}`;
  const startedAt = new Date(clock.now()).toISOString();
  let reports = 0;
  let isUnavailable = false;
  const reportOnce = async (): Promise<void> => {
    try {
      await processes.report(await describe(options, { id, service, host, startedAt }));
      if (reports % REPORTS_PER_SETTINGS === 0) await processes.reportSettings(id, options.settings());
      const statements = options.slowStatements?.() ?? [];
      if (statements.length > 0) await processes.reportStatements(id, statements);
      reports += 1;
      isUnavailable = false;
    } catch (err) {
      if (!isUnavailable) logger.warn({ err }, 'the state of this process cannot be reported');
      isUnavailable = true;
    }
  };
  const closing = new AbortController();
  const first = sleep(delayMs, undefined, { ref: false, signal: closing.signal }).then(reportOnce, () => undefined);
  let running = first;
  const timer = setInterval(() => {
    running = running.then(reportOnce);
  }, intervalMs);
  timer.unref();
  return {
    first,
    async close() {
      clearInterval(timer);
      closing.abort();
      await running;
      // Without the store the entry expires.
      await processes.remove(id).catch(() => undefined);
    },
  };
}

async function describe(
  { readiness, clock }: ProcessReportsOptions,
  identity: Pick<ProcessReport, 'id' | 'service' | 'host' | 'startedAt'>,
): Promise<ProcessReport> {
  const checks = await checkReadiness(readiness);
  const has = (status: 'down' | 'degraded'): boolean => Object.values(checks).some((check) => check.status === status);
  return {
    ...identity,
    processId: process.pid,
    nodeVersion: process.versions.node,
    reportedAt: new Date(clock.now()).toISOString(),
    status: has('down') ? 'not ready' : has('degraded') ? 'degraded' : 'ready',
    checks,
    memoryBytes: process.memoryUsage.rss(),
  };
}
