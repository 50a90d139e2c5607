import { PlatformError } from '@lintel/errors';
import { contextOf, respondTagged, type TaggedText, tagged } from '@lintel/http';
import type { Request, Router } from 'express';
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
  serve('/entities', (texts, request) => texts.entities(hasDetails(request)));
  serve('/entities/:entityName', (texts, request) =>
    texts.entity(parameter(request, 'entityName'), hasDetails(request)),
  );
  for (const plans of ['fetchPlans', 'views']) {
    serve(`/entities/:entityName/${plans}`, (texts, request) => texts.fetchPlans(parameter(request, 'entityName')));
    serve(`/entities/:entityName/${plans}/:planName`, (texts, request) =>
      texts.fetchPlan(parameter(request, 'entityName'), parameter(request, 'planName')),
    );
  }
  serve('/enums', (texts) => texts.enums());
  serve('/enums/:enumName', (texts, request) => texts.enumeration(parameter(request, 'enumName')));
  const datatypes = tagged(describeDatatypes());
  router.get(`${path}/datatypes`, (request, response) => respondTagged(request, response, datatypes));
}

/** @throws PlatformError REQ_INVALID_PARAMETER unless `details` is `true`, `false` or missing */
function hasDetails({ query }: Request): boolean {
  const { details } = query;
  if (details !== undefined && details !== 'true' && details !== 'false')
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'details' must be given once, as true or false");
  return details === 'true';
}

function parameter(request: Request, name: string): string {
  const value = request.params[name];
  return typeof value === 'string' ? value : '';
}
