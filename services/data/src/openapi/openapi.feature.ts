import { createMemo } from '@lintel/cache';
import { explorerClientOf } from '@lintel/config';
import { contextOf, respondTagged, serveDocument, tagged } from '@lintel/http';
import { createAsyncDocument, createDocuments, DOCUMENTS, type Documents } from '@lintel/openapi';
import { pathTestsOf } from '../access/path-tests.ts';
import type { FeatureFactory } from '../feature.ts';
import { byVersionAndLocale } from '../metadata/by-version-and-locale.ts';
import { createCallerDocuments } from './caller-documents.ts';
import { registerExplorerRoutes } from './explorer/explorer.routes.ts';

/**
 * `GET /docs/openapi.json`, `openapi.yaml` and the detailed ones, `asyncapi.json` (contract/api-documents.md#endpoints), and
 * the explorer.
 */
export const openApiFeature: FeatureFactory = ({ ports, config, modelSource, read, accessOf, defaultLocale }) => {
  const { paths } = config;
  const jobs = ports.application.jobs?.map(({ name }) => name);
  const options = { application: ports.application, paths, isDemo: config.demoEnabled };
  const cache = createMemo<string, Documents>(DOCUMENTS);
  const documents = byVersionAndLocale(cache, modelSource.current, read.currentMessages, (model, messages, locale) =>
    createDocuments(options, model, messages, locale),
  );
  const callerDocuments = createCallerDocuments({
    documents: options,
    currentModel: modelSource.current,
    currentMessages: read.currentMessages,
    accessOf: (principal) => ({ access: accessOf(principal), read: read.loadAccess(principal).read, jobs }),
    pathTests: pathTestsOf(config),
  });
  return {
    register({ rest }) {
      for (const name of ['openapi', 'openapiDetailed'] as const)
        serveDocument(rest, `${paths.docsPath}/${name}`, async (request, response, wanted) => {
          const { principal } = contextOf(request, response);
          const locale = principal.locale ?? defaultLocale;
          // Names of entities and attributes are for callers with a token.
          if (wanted.isForCaller || (name === 'openapiDetailed' && principal.kind === 'anonymous'))
            return callerDocuments.find(name, principal, locale, wanted);
          return (await documents(locale))[name][wanted.openapi];
        });
      // Names of events are for callers who may receive them.
      rest.get(`${paths.docsPath}/asyncapi.json`, (request, response) => {
        const { hasSpecific } = accessOf(contextOf(request, response).principal);
        const isUnlimited = hasSpecific('events.read');
        const mayRead = (type: string): boolean => isUnlimited || hasSpecific(`events.read.${type}`);
        respondTagged(request, response, tagged(createAsyncDocument(ports.application, mayRead)));
      });
      registerExplorerRoutes(rest, { paths, clientId: explorerClientOf(config.platform) });
    },
    caches: [cache, callerDocuments.cache],
  };
};
