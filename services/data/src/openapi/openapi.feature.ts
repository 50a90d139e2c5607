import { createMemo } from '@lintel/cache';
import { createDocuments, DOCUMENTS, type Documents } from '@lintel/openapi';
import type { FeatureFactory } from '../feature.ts';
import { byVersionAndLocale } from '../metadata/by-version-and-locale.ts';
import { registerExplorerRoutes } from './explorer/explorer.routes.ts';
import { registerOpenApiRoutes } from './openapi.routes.ts';

/** The OpenAPI documents and their explorer. */
export const openApiFeature: FeatureFactory = ({ ports, config, modelSource, read, defaultLocale }) => {
  const { paths } = config;
  const options = { application: ports.application, paths, isDemo: config.demoEnabled };
  const cache = createMemo<string, Documents>(DOCUMENTS);
  const documents = byVersionAndLocale(cache, modelSource.current, read.currentMessages, (model, messages, locale) =>
    createDocuments(options, model, messages, locale),
  );
  return {
    register({ rest }) {
      registerOpenApiRoutes(rest, { path: paths.docsPath, documents, defaultLocale });
      registerExplorerRoutes(rest, { path: paths.docsPath });
    },
    caches: [cache],
  };
};
