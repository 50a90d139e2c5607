import { addRoutes } from '@lintel/http';
import { createPeriodicTask } from '@lintel/timing';
import { listenerErrorResponder, toErrorHandler } from '../controllers/respond-listener-error.ts';
import type { FeatureFactory } from '../feature.ts';
import { joinCompositeIds } from './join-composite-ids.ts';
import { announcePatchTypes } from './patch-type.ts';
import { readRoutes } from './read-entities.routes.ts';
import { writeRoutes } from './write-entities.routes.ts';

/** The entity API: reading and writing of instances. */
export const entitiesFeature: FeatureFactory = ({ ports, config, modelSource, read, write }) => {
  const { application, resultMemory } = ports;
  const { modelVersions: versions } = application;
  const { unknownMembers, paths } = config;
  const { entitiesPath: path } = paths;
  const pruning = createPeriodicTask(
    () => write.idempotency.prune(),
    config.idempotencyPruneIntervalMs,
    (err) => ports.logger.warn({ err }, 'Old responses of idempotent requests could not be removed'),
  );
  const respondToError = listenerErrorResponder(application, write.environment);
  return {
    register({ rest, frequent }) {
      const routes = [
        ...readRoutes({ ...read, path, versions, resultMemory, unknownMembers }),
        ...writeRoutes({ ...write, path, versions, unknownMembers }),
      ];
      rest.use(path, joinCompositeIds(application.model));
      rest.use([`${path}/:entityName/:entityId`, `${path}/:entityName`], announcePatchTypes);
      addRoutes(rest, routes);
      rest.use(path, toErrorHandler(respondToError));
      frequent.add(routes, respondToError);
    },
    caches: [modelSource.cache, read.statements.cache],
    start: () => pruning.start(),
    close: () => pruning.stop(),
  };
};
