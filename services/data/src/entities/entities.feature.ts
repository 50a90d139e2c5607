import { addRoutes } from '@lintel/http';
import type { Model } from '@lintel/metadata';
import { hasCompositeKey, isCompositeId } from '@lintel/query';
import { createPeriodicTask } from '@lintel/timing';
import type { RequestHandler } from 'express';
import { listenerErrorResponder, toErrorHandler } from '../controllers/respond-listener-error.ts';
import type { FeatureFactory } from '../feature.ts';
import { callRunsOf } from '../methods/background/call-runs.feature.ts';
import { announcePatchTypes } from './patch-type.ts';
import { readRoutes } from './read-entities.routes.ts';
import { writeRoutes } from './write-entities.routes.ts';

/** Short beside the retention of kept responses, a day; a removal that finds none costs one statement. */
const IDEMPOTENCY_PRUNE_INTERVAL_MS = 300_000;

/** The entity API: reading and writing of instances. */
export const entitiesFeature: FeatureFactory = (engine) => {
  const { ports, config, modelSource, read, write, accessOf } = engine;
  const { application, resultMemory } = ports;
  const { modelVersions: versions } = application;
  const { unknownMembers, paths } = config;
  const { entitiesPath: path } = paths;
  const pruning = createPeriodicTask(
    () => write.idempotency.prune(),
    IDEMPOTENCY_PRUNE_INTERVAL_MS,
    (err) => ports.logger.warn({ err }, 'Old responses of idempotent requests could not be removed'),
  );
  const background = { runs: callRunsOf(engine), files: ports.storedFiles };
  const respondToError = listenerErrorResponder(application, write.environment);
  return {
    register({ rest, frequent }) {
      const routes = [
        ...readRoutes({ ...read, accessOf, path, versions, resultMemory, unknownMembers, background }),
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

/**
 * Encodes the slashes of a composite id in the plain Base64 alphabet that came without percent-encoding
 * (contract/decisions.md#60), so that the id is one segment of the path. Other paths stay as they are.
 */
const joinCompositeIds =
  (model: Model): RequestHandler =>
  (request, _response, next) => {
    const { path } = request;
    const afterEntity = path.indexOf('/', 1);
    if (afterEntity >= 0 && path.indexOf('/', afterEntity + 1) >= 0) {
      const entity = model.entities.get(path.slice(1, afterEntity));
      const id = path.slice(afterEntity + 1);
      if (entity !== undefined && hasCompositeKey(entity) && isCompositeId(decoded(id)))
        request.url = `${path.slice(0, afterEntity + 1)}${id.replaceAll('/', '%2F')}${request.url.slice(path.length)}`;
    }
    next();
  };

/** The decoded text, or the text itself if its percent-encoding is invalid: the route refuses it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
