import type { Principal } from '@lintel/contracts';
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
  /** The same of the texts that are no captions. */
  readonly others: (locale: string) => Promise<TaggedText>;
  /** Refuses callers who may not read the entity of texts. */
  readonly assertMayRead: (principal: Principal) => void;
  /** `svc.core.available-locales`, in underscore form. */
  readonly locales: readonly string[];
}

/**
 * `GET /messages/**` (contract/messages.md#messages) in the language of the request, and the captions of any locale
 * (contract/messages.md#captions).
 */
export function registerMessageRoutes(router: Router, options: MessageRouteOptions): void {
  const { path, texts, captions, others, locales } = options;
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
    const isOfOthers = kindOf(request) === 'others';
    // Captions are on every page; other texts may be of services that not all users see.
    if (isOfOthers) options.assertMayRead(contextOf(request, response).principal);
    respondTagged(request, response, await (isOfOthers ? others : captions)(localeOf(request, locales)));
  });
}

const KINDS = ['captions', 'others'] as const;

/** @throws PlatformError REQ_INVALID_PARAMETER */
function kindOf({ query }: Pick<Request, 'query'>): (typeof KINDS)[number] {
  const found = KINDS.find((kind) => kind === (query['kind'] ?? 'captions'));
  if (found === undefined) throw new PlatformError('REQ_INVALID_PARAMETER', `kind must be one of ${KINDS.join(', ')}`);
  return found;
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
