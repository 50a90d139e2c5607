import { API_VERSION } from '@lintel/contracts';
import { respondTagged, tagged } from '@lintel/http';
import type { Router } from 'express';

/** `GET /version` and `GET /capabilities` (contract/metadata.md#version, #capabilities). */
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
