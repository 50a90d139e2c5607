import { contextOf, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine, FeatureFactory } from '../feature.ts';

/** The data of the caller. */
export const userInfoFeature: FeatureFactory = (engine) => ({ register: ({ rest }) => registerRoutes(rest, engine) });

/** `GET /userInfo` (contract/user.md#user-info): name, locale and attributes of the caller, nulls included. */
function registerRoutes(router: Router, { config, defaultLocale }: Engine): void {
  router.get(config.paths.userInfoPath, (request, response) => {
    const { principal } = contextOf(request, response);
    sendJson(response, 200, {
      username: principal.username,
      locale: principal.locale ?? defaultLocale,
      attributes: principal.attributes,
    });
  });
}
