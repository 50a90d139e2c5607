import { contextOf, sendJson } from '@lintel/http';
import type { Router } from 'express';

/** `GET /userInfo` (contract/user.md#user-info): who the caller is; nulls of the attributes included. */
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
