import type { Router } from 'express';
import { stringify } from 'yaml';
import { API_VERSION } from '../about/about.routes.ts';
import type { DataConfig } from '../config.ts';
import { buildDocument } from './build-document.ts';
import { entityRoutes } from './entity-routes.ts';
import { messageRoutes, sessionRoutes } from './message-routes.ts';
import { metadataRoutes } from './metadata-routes.ts';
import { fileRoutes, reportRoutes, TOKEN_ROUTES, userRoutes } from './other-routes.ts';
import { queryRoutes } from './query-routes.ts';
import type { RouteDescription } from './route-description.ts';
import { serviceRoutes } from './service-routes.ts';

/** The prefix of the reports API is fixed. */
const REPORTS_PATH = '/rest/reports';

/** All routes of the generic API, of every service, under the configured paths. */
export function genericRoutes(paths: DataConfig['paths']): readonly RouteDescription[] {
  const below = (path: string): string => `${paths.basePath}${path}`;
  return [
    ...TOKEN_ROUTES,
    ...entityRoutes(below(paths.entitiesPath)),
    ...queryRoutes(below(paths.queriesPath)),
    ...serviceRoutes(below(paths.servicesPath)),
    ...fileRoutes(below(paths.filesPath)),
    ...userRoutes({
      userInfo: below(paths.userInfoPath),
      permissions: below(paths.permissionsPath),
      capabilities: below(paths.capabilitiesPath),
      version: below('/version'),
    }),
    ...sessionRoutes(below(paths.userSessionPath)),
    ...metadataRoutes(below(paths.metadataPath)),
    ...messageRoutes(below(paths.messagesPath)),
    ...reportRoutes(REPORTS_PATH),
  ];
}

/** `GET /docs/openapi.json` and `.yaml` (specification 4.12). The texts are made once. */
export function registerOpenApiRoutes(
  router: Router,
  options: { readonly paths: DataConfig['paths']; readonly applicationName: string },
): void {
  const info = { title: `${options.applicationName}: REST API`, version: API_VERSION };
  const document = buildDocument(info, genericRoutes(options.paths));
  const texts = [
    ['json', 'application/json', JSON.stringify(document)],
    ['yaml', 'application/yaml', stringify(document, { aliasDuplicateObjects: false })],
  ] as const;
  for (const [extension, type, text] of texts) {
    router.get(`${options.paths.docsPath}/openapi.${extension}`, (_request, response) => {
      response.setHeader('Content-Type', type);
      response.setHeader('Content-Length', Buffer.byteLength(text));
      response.end(text);
    });
  }
}
