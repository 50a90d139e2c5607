import { PlatformError } from '@lintel/errors';
import type { RequestHandler } from 'express';

/** Refuses requests whose `Accept` excludes the JSON that the endpoint answers (contract entities §0). */
export const requireJsonAcceptable: RequestHandler = (request, _response, next) => {
  if (request.method !== 'DELETE' && request.accepts('application/json') === false)
    throw new PlatformError('REQ_NOT_ACCEPTABLE', 'This endpoint answers application/json');
  next();
};
