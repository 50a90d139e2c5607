import { PlatformError } from '@lintel/errors';
import { contextOf, respondTagged, tagged } from '@lintel/http';
import { type Captions, captionsIn, type Messages, type Model } from '@lintel/metadata';
import { resolveEntity } from '@lintel/query';
import type { Request, Response, Router } from 'express';
import { entityMessages, enumMessages, type FlatMessages } from './list-messages.ts';

/**
 * `GET /messages/**` (specification 4.10) in the language of the request.
 *
 * @param options `path` is the prefix below the router, e.g. `/messages`
 */
export function registerMessageRoutes(
  router: Router,
  options: { readonly path: string; readonly currentModel: () => Model; readonly currentMessages: () => Messages },
): void {
  const { path } = options;
  const answer =
    (list: (model: Model, captions: Captions, name: string) => FlatMessages) =>
    (request: Request<{ name?: string }>, response: Response): void => {
      const received = request as unknown as Request;
      const locale = contextOf(received, response).principal.locale ?? '';
      const captions = captionsIn(options.currentMessages(), locale);
      respondTagged(received, response, tagged(list(options.currentModel(), captions, request.params.name ?? '')));
    };
  router.get(
    `${path}/entities`,
    answer((model, captions) => entityMessages(model.entities.values(), captions)),
  );
  router.get(
    `${path}/entities/:name`,
    answer((model, captions, name) => entityMessages([resolveEntity(model, name)], captions)),
  );
  router.get(
    `${path}/enums`,
    answer((model, captions) => enumMessages(model.enums.values(), captions)),
  );
  router.get(
    `${path}/enums/:name`,
    answer((model, captions, name) => {
      const enumeration = model.enums.get(name);
      if (enumeration === undefined)
        throw new PlatformError('MODEL_ENUM_NOT_FOUND', `Enum with class name ${name} not found`);
      return enumMessages([enumeration], captions);
    }),
  );
}
