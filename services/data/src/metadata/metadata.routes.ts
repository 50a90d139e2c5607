import { contextOf, pathParameter, respondTagged, type TaggedText, tagged } from '@lintel/http';
import type { Request, Router } from 'express';
import { receiveFlag } from '../access/receive-flag.ts';
import type { MetadataSource } from './create-metadata-source.ts';
import type { MetadataTexts } from './create-metadata-texts.ts';
import { describeDatatypes } from './describe-datatypes.ts';

export interface MetadataRouteOptions {
  /** Prefix below the router, e.g. `/metadata`. */
  readonly path: string;
  readonly metadata: MetadataSource;
  /** Locale of callers without a locale. */
  readonly defaultLocale: string;
}

/**
 * `GET /metadata/…` (contract/metadata.md#metadata, #entities, #details, #fetch-plans, #enums); `views` are plans of older
 * clients.
 */
export function registerMetadataRoutes(router: Router, { path, metadata, defaultLocale }: MetadataRouteOptions): void {
  const serve = (route: string, find: (texts: MetadataTexts, request: Request) => TaggedText): void => {
    router.get(`${path}${route}`, async (request, response) => {
      const { principal } = contextOf(request, response);
      respondTagged(request, response, find(await metadata(principal.locale ?? defaultLocale), request));
    });
  };
  serve('/entities', (texts, request) => texts.entities(receiveFlag(request, 'details')));
  serve('/entities/:entityName', (texts, request) =>
    texts.entity(pathParameter(request, 'entityName'), receiveFlag(request, 'details')),
  );
  for (const plans of ['fetchPlans', 'views']) {
    serve(`/entities/:entityName/${plans}`, (texts, request) => texts.fetchPlans(pathParameter(request, 'entityName')));
    serve(`/entities/:entityName/${plans}/:planName`, (texts, request) =>
      texts.fetchPlan(pathParameter(request, 'entityName'), pathParameter(request, 'planName')),
    );
  }
  serve('/enums', (texts) => texts.enums());
  serve('/enums/:enumName', (texts, request) => texts.enumeration(pathParameter(request, 'enumName')));
  const datatypes = tagged(describeDatatypes());
  router.get(`${path}/datatypes`, (request, response) => respondTagged(request, response, datatypes));
}
