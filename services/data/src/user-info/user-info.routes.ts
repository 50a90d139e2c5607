import { contextOf, sendJson } from '@lintel/http';
import type { Router } from 'express';
import { chooseLocale } from '../locale/choose-locale.ts';

/** `GET /userInfo` (contract-security-core.md §7.1): who the caller is; nulls of the attributes included. */
export function registerUserInfoRoutes(
  router: Router,
  options: { readonly path: string; readonly availableLocales: readonly string[] },
): void {
  router.get(options.path, (request, response) => {
    const { principal, acceptLanguage } = contextOf(request, response);
    sendJson(response, 200, {
      username: principal.username,
      locale: chooseLocale(acceptLanguage, principal.locale, options.availableLocales),
      attributes: principal.attributes,
    });
  });
}
