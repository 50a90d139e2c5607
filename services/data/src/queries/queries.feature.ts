import type { FeatureFactory } from '../feature.ts';
import { registerQueryRoutes } from './queries.routes.ts';

/** The predefined queries of the application. */
export const queriesFeature: FeatureFactory = ({ ports, config, read, queryCache, requestDatabase }) => ({
  register: ({ rest }) =>
    registerQueryRoutes(rest, {
      ...read,
      queries: ports.application.predefinedQueries,
      cached: queryCache.before(requestDatabase),
      path: config.paths.queriesPath,
      versions: ports.application.modelVersions,
      resultMemory: ports.resultMemory,
      unknownMembers: config.unknownMembers,
    }),
  caches: [queryCache],
});
