import { PlatformError } from '@lintel/errors';
import { PROBLEM_TYPE } from '@lintel/http';
import type { RequestHandler } from 'express';

/** Values of `Accept` that common clients send; only others are parsed. */
const USUAL: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json', 'application/json, */*']);

/** Refuses requests whose `Accept` excludes the JSON of the endpoint (contract/conventions.md#endpoints). */
export const requireJsonAcceptable: RequestHandler = (request, _response, next) => {
  const isRefused =
    request.method !== 'DELETE' &&
    !USUAL.has(request.headers.accept) &&
    request.accepts(['application/json', PROBLEM_TYPE]) === false;
  if (isRefused) throw new PlatformError('REQ_NOT_ACCEPTABLE', 'This endpoint answers application/json');
  next();
};
