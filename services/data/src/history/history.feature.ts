import type { FeatureFactory } from '../feature.ts';
import { createCallRunStore } from '../methods/background/call-run-store.ts';
import { registerHistoryRoutes } from './history.routes.ts';
import { registerRestoreRoute } from './restore.routes.ts';
import { registerUndoRoute } from './undo.routes.ts';

/** Recorded changes of instances. */
export const historyFeature: FeatureFactory = ({ ports, read, write, accessOf, requestDatabase }) => ({
  register({ rest }) {
    const options = { read, accessOf, database: requestDatabase };
    registerHistoryRoutes(rest, options);
    registerRestoreRoute(rest, { ...options, write });
    const runs = { store: createCallRunStore(ports.database), newId: () => ports.ids.next() };
    registerUndoRoute(rest, { ...options, write, runs });
  },
});
