import type { FeatureFactory } from '../feature.ts';
import { callRunsOf } from '../methods/background/call-runs.feature.ts';
import { registerHistoryRoutes } from './history.routes.ts';
import { registerRestoreRoute } from './restore.routes.ts';
import { registerUndoRoute } from './undo.routes.ts';

/** Recorded changes of instances. */
export const historyFeature: FeatureFactory = (engine) => ({
  register({ rest }) {
    const { read, write, accessOf, requestDatabase } = engine;
    const options = { read, accessOf, database: requestDatabase };
    registerHistoryRoutes(rest, options);
    registerRestoreRoute(rest, { ...options, write });
    registerUndoRoute(rest, { ...options, write, runs: callRunsOf(engine) });
  },
});
