import { contextOf, respondTagged, type TaggedText } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import type { MessageTexts } from './create-message-texts.ts';

export interface MessageRouteOptions {
  /** Prefix below the router, e.g. `/messages`. */
  readonly path: string;
  /** The current captions in a locale. */
  readonly texts: (locale: string) => Promise<MessageTexts>;
}

/** `GET /messages/**` (contract/messages.md#messages) in the language of the request. */
export function registerMessageRoutes(router: Router, { path, texts }: MessageRouteOptions): void {
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
}
