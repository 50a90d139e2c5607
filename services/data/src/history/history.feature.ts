import { createPeriodicTask } from '@lintel/timing';
import type { FeatureFactory } from '../feature.ts';
import { createCallRunStore } from '../methods/background/call-run-store.ts';
import { registerHistoryRoutes } from './history.routes.ts';
import { registerRestoreRoute } from './restore.routes.ts';
import { registerUndoRoute } from './undo.routes.ts';

const PARTITION_INTERVAL_MS = 24 * 60 * 60 * 1_000;
/** Months after the present one that have partitions. */
const MONTHS = 2;

/** Recorded changes of instances. */
export const historyFeature: FeatureFactory = ({ ports, read, write, accessOf, requestDatabase }) => {
  const partitions = createPeriodicTask(
    () => ports.database.query({ text: 'SELECT history.make_partitions($1)', values: [MONTHS] }),
    PARTITION_INTERVAL_MS,
    // Rows go to the default partition until it succeeds.
    (err) => ports.logger.error({ err }, 'the partitions of the history were not made'),
  );
  return {
    register({ rest }) {
      const options = { read, accessOf, database: requestDatabase };
      registerHistoryRoutes(rest, options);
      registerRestoreRoute(rest, { ...options, write });
      const runs = { store: createCallRunStore(ports.database), newId: () => ports.ids.next() };
      registerUndoRoute(rest, { ...options, write, runs });
    },
    start: () => partitions.start(),
    close: () => partitions.stop(),
  };
};
