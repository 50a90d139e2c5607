import { PlatformError } from '@lintel/errors';
import { contextOf, requestedLocale } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';

/**
 * `PUT /user-session/locale` (contract/user.md#session-locale): remembers the locale that `Accept-Language`
 * names in the session (contract/decisions.md#36).
 */
export function registerUserSessionRoutes(router: Router, { ports, config }: Engine): void {
  const { availableLocales, paths } = config;
  const path = paths.userSessionPath;
  router.put(`${path}/locale`, async (request, response) => {
    const { principal, acceptLanguage } = contextOf(request, response);
    const locale = requestedLocale(acceptLanguage, availableLocales);
    if (locale === null)
      throw new PlatformError(
        'REQ_LOCALE_NOT_AVAILABLE',
        `Accept-Language names no available locale: ${availableLocales.join(', ')}`,
      );
    if (!(await ports.sessionLocales.change(principal.sessionId, locale)))
      throw new PlatformError('REQ_LOCALE_NOT_AVAILABLE', 'The session has no locale of its own');
    response.status(200).end();
  });
}
