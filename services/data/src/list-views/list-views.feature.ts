import type { FeatureFactory } from '../feature.ts';
import { createListViewStore } from './create-list-view-store.ts';
import { registerListViewsRoutes } from './list-views.routes.ts';

/** Saved views of lists. */
export const listViewsFeature: FeatureFactory = ({ ports, config, accessOf, read, requestDatabase }) => ({
  register({ rest }) {
    registerListViewsRoutes(rest, {
      path: `${config.paths.userSessionPath}/views`,
      store: createListViewStore(requestDatabase),
      accessOf,
      loadReadAccess: (principal) => read.loadAccess(principal).read,
      currentModel: read.currentModel,
      currentRoles: ports.currentRoles,
      newId: () => ports.ids.next(),
    });
  },
});
