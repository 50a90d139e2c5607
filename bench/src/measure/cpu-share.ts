import type { SystemResult } from './run-record.ts';

const totalOf = ({ cpuMicrosPerRequest }: Costs): number =>
  Object.values(cpuMicrosPerRequest).reduce((sum, micros) => sum + micros, 0);

type Costs = Pick<SystemResult, 'cpuMicrosPerRequest'>;

/**
 * What the throughput would be, as a share of the reference's, if every processor were always busy: the
 * reference's processor time per request by the system's. Drifts less than throughput does. Undefined for
 * systems that are not counted.
 */
export function cpuShareOf(result: Costs, reference: Costs): number | undefined {
  const own = totalOf(result);
  return own === 0 ? undefined : totalOf(reference) / own;
}
