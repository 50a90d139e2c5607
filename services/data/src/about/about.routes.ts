import { respondTagged, tagged } from '@lintel/http';
import type { Router } from 'express';
import { API_VERSION } from './api-version.ts';

/** `GET /version` and `GET /capabilities` (contract-entities-queries-services.md §§7.1, 7.3). */
export function registerAboutRoutes(
  router: Router,
  options: { readonly capabilitiesPath: string; readonly inlineFetchPlansEnabled: boolean },
): void {
  router.get('/version', (_request, response) => {
    response.setHeader('Content-Type', 'text/plain;charset=UTF-8');
    response.end(API_VERSION);
  });
  const capabilities = tagged({ inlineFetchPlans: options.inlineFetchPlansEnabled });
  router.get(options.capabilitiesPath, (request, response) => respondTagged(request, response, capabilities));
}
