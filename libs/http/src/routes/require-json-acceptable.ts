import { PlatformError } from '@lintel/errors';
import { accepts } from '../requests/negotiation/accepts.ts';
import type { RequestCheck } from '../requests/routed-request.ts';
import { PROBLEM_TYPE } from '../responses/problem-details.ts';

/** Values of `Accept` that common clients send; only others are parsed. */
const USUAL: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json', 'application/json, */*']);

/** Refuses requests whose `Accept` excludes the JSON of the endpoint (contract/conventions.md#endpoints). */
export const requireJsonAcceptable: RequestCheck = (request) => {
  const isRefused =
    request.method !== 'DELETE' &&
    !USUAL.has(request.headers.accept) &&
    !accepts(request, ['application/json', PROBLEM_TYPE]);
  if (isRefused) throw new PlatformError('REQ_NOT_ACCEPTABLE', 'This endpoint returns application/json');
};
