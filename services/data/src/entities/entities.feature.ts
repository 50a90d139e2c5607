import { createPruner } from '@lintel/entities';
import { listenerErrorHandler } from '../controllers/listener-error-handler.ts';
import type { FeatureFactory } from '../feature.ts';
import { joinCompositeIds } from './join-composite-ids.ts';
import { registerReadRoutes } from './read-entities.routes.ts';
import { registerWriteRoutes } from './write-entities.routes.ts';

/** The entity API: reading and writing of instances. */
export const entitiesFeature: FeatureFactory = ({ ports, config, modelSource, read, write }) => {
  const { application, resultMemory } = ports;
  const { modelVersions: versions } = application;
  const { unknownMembers, paths } = config;
  const { entitiesPath: path } = paths;
  const pruner = createPruner(write.idempotency, config.idempotencyPruneIntervalMs, ports.logger);
  return {
    register({ rest }) {
      rest.use(path, joinCompositeIds(application.model));
      registerReadRoutes(rest, { ...read, path, versions, resultMemory, unknownMembers });
      registerWriteRoutes(rest, { ...write, path, versions, unknownMembers });
      rest.use(path, listenerErrorHandler(application, write.environment));
    },
    caches: [modelSource.cache, read.statements.cache],
    start: () => pruner.start(),
    close: () => pruner.stop(),
  };
};
