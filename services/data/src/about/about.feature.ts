import { API_VERSION } from '@lintel/contracts';
import { respondTagged, tagged } from '@lintel/http';
import type { Router } from 'express';
import type { DataConfig } from '../config.ts';
import type { FeatureFactory } from '../feature.ts';

/** The version and the capabilities of the API. */
export const aboutFeature: FeatureFactory = ({ config }) => ({
  register: ({ rest }) => registerRoutes(rest, config),
});

/** `GET /version` and `GET /capabilities` (contract/metadata.md#version, #capabilities). */
function registerRoutes(router: Router, { paths, inlineFetchPlanEnabled }: DataConfig): void {
  router.get('/version', (_request, response) => {
    response.setHeader('Content-Type', 'text/plain;charset=UTF-8');
    response.end(API_VERSION);
  });
  const capabilities = tagged({ inlineFetchPlans: inlineFetchPlanEnabled });
  router.get(paths.capabilitiesPath, (request, response) => respondTagged(request, response, capabilities));
}
