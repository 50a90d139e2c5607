import { PlatformError } from '@lintel/errors';
import { contextOf, requestedLocale } from '@lintel/http';
import type { Router } from 'express';
import type { SessionLocales } from './session-locales.ts';

/**
 * `PUT /user-session/locale` (contract/user.md#session-locale): remembers the locale that `Accept-Language`
 * names in the session (contract/decisions.md#36).
 *
 * @param options `path` is the prefix below the router, e.g. `/user-session`
 */
export function registerUserSessionRoutes(
  router: Router,
  options: { readonly path: string; readonly availableLocales: readonly string[]; readonly sessions: SessionLocales },
): void {
  const { availableLocales, sessions } = options;
  router.put(`${options.path}/locale`, async (request, response) => {
    const { principal, acceptLanguage } = contextOf(request, response);
    const locale = requestedLocale(acceptLanguage, availableLocales);
    if (locale === null)
      throw new PlatformError(
        'REQ_LOCALE_NOT_AVAILABLE',
        `Accept-Language names no available locale: ${availableLocales.join(', ')}`,
      );
    if (!(await sessions.change(principal.sessionId, locale)))
      throw new PlatformError('REQ_LOCALE_NOT_AVAILABLE', 'The session has no locale of its own');
    response.status(200).end();
  });
}
