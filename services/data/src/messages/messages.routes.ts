import { PlatformError } from '@lintel/errors';
import { contextOf, respondTagged, type TaggedText } from '@lintel/http';
import { DEFAULT_LOCALE } from '@lintel/metadata';
import type { Request, Response, Router } from 'express';
import type { MessageTexts } from './create-message-texts.ts';

export interface MessageRouteOptions {
  /** Prefix below the router, e.g. `/messages`. */
  readonly path: string;
  /** The current captions in a locale. */
  readonly texts: (locale: string) => Promise<MessageTexts>;
  /** The captions of a locale with their sources; `''` for the default texts. */
  readonly captions: (locale: string) => Promise<TaggedText>;
  /** `svc.core.available-locales`, in underscore form. */
  readonly locales: readonly string[];
}

/**
 * `GET /messages/**` (contract/messages.md#messages) in the language of the request, and the captions of any locale
 * (contract/messages.md#captions).
 */
export function registerMessageRoutes(router: Router, options: MessageRouteOptions): void {
  const { path, texts, captions, locales } = options;
  const respondWith =
    (find: (texts: MessageTexts, name: string) => TaggedText) =>
    async (request: Request<{ name?: string }>, response: Response): Promise<void> => {
      const received = request as unknown as Request;
      const found = await texts(contextOf(received, response).principal.locale ?? '');
      respondTagged(received, response, find(found, request.params.name ?? ''));
    };
  router.get(
    `${path}/entities`,
    respondWith((found) => found.entities()),
  );
  router.get(
    `${path}/entities/:name`,
    respondWith((found, name) => found.entity(name)),
  );
  router.get(
    `${path}/enums`,
    respondWith((found) => found.enums()),
  );
  router.get(
    `${path}/enums/:name`,
    respondWith((found, name) => found.enumeration(name)),
  );
  router.get(`${path}/captions`, async (request, response) => {
    respondTagged(request, response, await captions(localeOf(request, locales)));
  });
}

/** @throws PlatformError REQ_INVALID_PARAMETER */
function localeOf({ query }: Pick<Request, 'query'>, locales: readonly string[]): string {
  const { locale = DEFAULT_LOCALE } = query;
  if (locale === DEFAULT_LOCALE) return '';
  const found = typeof locale === 'string' ? locales.find((name) => name === locale.replaceAll('-', '_')) : undefined;
  if (found === undefined)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `locale must be one of ${[DEFAULT_LOCALE, ...locales].join(', ')}`,
    );
  return found;
}
