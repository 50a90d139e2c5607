import Sequencer from '@jest/test-sequencer';

/**
 * Runs test files in the order of their paths. Jest sorts by the last durations, or by sizes where none is stored: tests
 * that share a system would run in another order in CI than at home.
 */
export default class ByPathSequencer extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1));
  }
}
