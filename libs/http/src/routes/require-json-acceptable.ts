import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { accepts } from '../requests/negotiation/accepts.ts';
import type { RequestCheck } from '../requests/routed-request.ts';
import { PROBLEM_TYPE } from '../responses/problem-details.ts';

/** Values of `Accept` that common clients send; only others are parsed. */
const USUAL: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json', 'application/json, */*']);

/** Whether the client accepts JSON as most clients do. */
export const isUsualAccept = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => USUAL.has(headers.accept);

/**
 * Refuses requests whose `Accept` excludes the JSON of the endpoint and the other types that it returns
 * (contract/conventions.md#endpoints).
 */
export const requireAcceptable = (...others: readonly string[]): RequestCheck => {
  const returned = ['application/json', ...others];
  const types = [...returned, PROBLEM_TYPE];
  return (request) => {
    if (request.method === 'DELETE' || isUsualAccept(request) || accepts(request, types)) return;
    throw new PlatformError('REQ_NOT_ACCEPTABLE', `This endpoint returns ${returned.join(' or ')}`);
  };
};

/** Refuses requests whose `Accept` excludes JSON, for endpoints that return nothing else. */
export const requireJsonAcceptable: RequestCheck = requireAcceptable();
