import type { CheckOutcome } from '@lintel/http';
import type { ReplicaState } from '@lintel/persistence';

/** Without replicas the primary serves all reads: that is slower, but the service is ready. */
export function replicaHealth(states: readonly ReplicaState[]): CheckOutcome {
  const unused = states.flatMap(({ number, problem }) => (problem === undefined ? [] : [`${number} is ${problem}`]));
  return unused.length === 0 ? true : { degraded: `replica ${unused.join(', replica ')}` };
}
