import type { OperationResult } from '../run-bench.ts';
import { type ServerName, SYSTEMS } from '../systems.ts';
import { LIMITS } from '../targets.ts';

/** One limit that is no ratio, and what was measured. */
export interface LimitCheck {
  readonly what: string;
  readonly measured: number;
  readonly limit: number;
  readonly unit: 'ms' | 'µs' | 'MiB' | '';
  readonly isKept: boolean;
}

const PROCESSES = ['data', 'gateway', 'standalone'] as const;

/**
 * Returns the limits that the run has figures for.
 *
 * @param idleMiB resident memory 15 s after the last request, by process
 */
export function checkLimits(
  results: readonly OperationResult[],
  idleMiB: Readonly<Record<string, number>> = {},
): readonly LimitCheck[] {
  const of = (operation: string, system: string) =>
    results.find((one) => one.operation === operation)?.systems.find((one) => one.system === system);
  const ours = results.flatMap(({ operation, systems }) =>
    systems
      .filter(({ system }) => SYSTEMS[system as ServerName].api === 'lintel')
      .map((result) => ({ operation, ...result })),
  );
  const maxOf = (values: readonly Readonly<Record<string, number>>[], process: string): number | undefined => {
    const own = values.flatMap((value) => value[process] ?? []);
    return own.length === 0 ? undefined : Math.max(...own);
  };
  const upTo = (limit: number, unit: LimitCheck['unit'], what: string, measured: number | undefined): LimitCheck[] =>
    measured === undefined ? [] : [{ what, measured, limit, unit, isKept: measured <= limit }];
  // A machine that makes every forwarder slower makes the gateway slower as well.
  const besideForwarder = (operation: string): string => {
    const micros = of(operation, 'forwarder-express')?.cpuMicrosPerRequest['forwarder-express'];
    return micros === undefined ? '' : ` (the least forwarder: ${round(micros)} µs)`;
  };
  const exports = ours.filter(({ operation }) => operation === 'R5');
  return [
    ...upTo(LIMITS.p99Ms, 'ms', 'p99 of R1, 16 connections, data service', of('R1', 'data')?.p99Ms),
    ...upTo(LIMITS.exportMs, 'ms', 'p50 of R5, data service', of('R5', 'data')?.p50Ms),
    ...upTo(LIMITS.exportMs, 'ms', 'p50 of R5, through the gateway', of('R5', 'gateway')?.p50Ms),
    ...results
      .filter(({ operation }) => operation !== 'R5')
      .flatMap(({ operation }) => {
        const limit = LIMITS.gatewayMicros * (operation === 'R1' ? 1 : 1.5);
        const measured = of(operation, 'gateway')?.cpuMicrosPerRequest['gateway'];
        return upTo(limit, 'µs', `processor time of the gateway, ${operation}${besideForwarder(operation)}`, measured);
      }),
    ...results.flatMap(({ operation }) => {
      const limit = LIMITS.standaloneRatio[operation];
      const own = of(operation, 'standalone')?.cpuMicrosPerRequest['standalone'];
      const data = of(operation, 'data')?.cpuMicrosPerRequest['data'];
      if (limit === undefined || own === undefined || data === undefined) return [];
      return upTo(limit, '', `processor time of one process for all, in data services, ${operation}`, own / data);
    }),
    ...Object.entries(LIMITS.additions).flatMap(([system, limit]) =>
      results.flatMap(({ operation }) => {
        const [own, data] = [of(operation, system), of(operation, 'data')];
        const [cost, plain] = [own?.cpuMicrosPerRequest[system], data?.cpuMicrosPerRequest['data']];
        if (own === undefined || data === undefined || cost === undefined || plain === undefined) return [];
        const slower = data.perSecond / own.perSecond;
        return [
          ...upTo(limit.cost, '', `processor time with ${system}, in data services, ${operation}`, cost / plain),
          ...upTo(1 / limit.throughput, '', `throughput of data with one with ${system}, ${operation}`, slower),
        ];
      }),
    ),
    ...PROCESSES.flatMap((process) => [
      ...upTo(
        LIMITS.exportGrowthMiB,
        'MiB',
        `growth of resident memory in R5, ${process}`,
        maxOf(
          exports.map(({ rssGrowthMiB }) => rssGrowthMiB),
          process,
        ),
      ),
      ...upTo(
        LIMITS.rssMiB[process],
        'MiB',
        `resident memory at the end of the load, ${process}`,
        maxOf(
          ours.map(({ rssMiB }) => rssMiB),
          process,
        ),
      ),
      ...upTo(LIMITS.rssMiB[process], 'MiB', `resident memory 15 s after the load, ${process}`, idleMiB[process]),
      ...upTo(
        LIMITS.loopLagP99Ms,
        'ms',
        `event-loop lag under load, p99, ${process}`,
        maxOf(
          ours.map(({ loopLagP99Ms }) => loopLagP99Ms),
          process,
        ),
      ),
    ]),
    ...upTo(
      0,
      '',
      'failed requests',
      results.flatMap(({ systems }) => systems).reduce((sum, { failures }) => sum + failures, 0),
    ),
  ];
}

const round = (value: number): string => String(Math.round(value * 10) / 10);
