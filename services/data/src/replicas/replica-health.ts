import type { CheckAnswer } from '@lintel/http';
import type { ReplicaState } from '@lintel/persistence';

/** Without a usable replica the primary serves all reads: slower, but the service is ready. */
export function replicaHealth(states: readonly ReplicaState[]): CheckAnswer {
  const unused = states.flatMap(({ number, problem }) => (problem === undefined ? [] : [`${number} is ${problem}`]));
  return unused.length === 0 ? true : { degraded: `replica ${unused.join(', replica ')}` };
}
