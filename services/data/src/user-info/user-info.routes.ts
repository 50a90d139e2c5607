import { contextOf, sendJson } from '@lintel/http';
import type { Router } from 'express';

/** `GET /userInfo` (contract/user.md#user-info): name, locale and attributes of the caller, nulls included. */
export function registerUserInfoRoutes(
  router: Router,
  options: { readonly path: string; readonly defaultLocale: string },
): void {
  router.get(options.path, (request, response) => {
    const { principal } = contextOf(request, response);
    sendJson(response, 200, {
      username: principal.username,
      locale: principal.locale ?? options.defaultLocale,
      attributes: principal.attributes,
    });
  });
}
