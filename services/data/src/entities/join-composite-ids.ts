import type { Model } from '@lintel/metadata';
import { hasCompositeKey, isCompositeId } from '@lintel/query';
import type { RequestHandler } from 'express';

/**
 * Encodes the slashes of a composite id in the plain Base64 alphabet that came without percent-encoding
 * (contract/decisions.md#60), so that the id is one segment of the path. Other paths stay as they are.
 */
export const joinCompositeIds =
  (model: Model): RequestHandler =>
  (request, _response, next) => {
    const { path } = request;
    const afterEntity = path.indexOf('/', 1);
    if (afterEntity >= 0 && path.indexOf('/', afterEntity + 1) >= 0) {
      const entity = model.entities.get(path.slice(1, afterEntity));
      const id = path.slice(afterEntity + 1);
      if (entity !== undefined && hasCompositeKey(entity) && isCompositeId(decoded(id)))
        request.url = `${path.slice(0, afterEntity + 1)}${id.replaceAll('/', '%2F')}${request.url.slice(path.length)}`;
    }
    next();
  };

/** The decoded text, or the text itself if its percent-encoding is invalid: the route refuses it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
