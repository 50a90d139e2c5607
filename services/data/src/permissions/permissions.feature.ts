import { contextOf, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine, FeatureFactory } from '../feature.ts';
import { listPermissions } from './list-permissions.ts';

/** The permissions of the caller. */
export const permissionsFeature: FeatureFactory = (engine) => ({
  register: ({ rest }) => registerRoutes(rest, engine),
});

/** `GET /permissions` (contract/user.md#permissions). Query parameters are ignored (contract/decisions.md#34). */
function registerRoutes(router: Router, { ports, config, read, accessOf }: Engine): void {
  router.get(config.paths.permissionsPath, (request, response) => {
    const { principal } = contextOf(request, response);
    sendJson(response, 200, listPermissions(read.currentModel(), accessOf(principal), principal, ports.application));
  });
}
