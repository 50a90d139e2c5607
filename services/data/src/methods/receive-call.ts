import { decodeBody, parseJson } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { DESCRIPTION_UNAUTHORIZED, pathParameter, singleValue } from '@lintel/http';
import { type ExactObject, isExactObject } from '@lintel/query';
import type { RequestLimits } from '@lintel/reading';
import type { Request, Response } from 'express';
import { receiveBody } from '../fair-shares/receive-body.ts';
import { assertBodySize } from '../limits/assert-body-size.ts';
import type { ReceivedCall } from './call-method.ts';

/**
 * A GET: every query parameter except `modelVersion` is a parameter of the method (contract/services.md#resolution).
 *
 * @throws PlatformError AUTH_UNAUTHORIZED with a token in the URL (contract/decisions.md#37); REQ_INVALID_PARAMETER
 *   for a parameter that is given twice
 */
export function receiveGet(request: Request): ReceivedCall {
  const { modelVersion: _version, ...parameters } = request.query;
  if (parameters['access_token'] !== undefined) throw new PlatformError('AUTH_UNAUTHORIZED', DESCRIPTION_UNAUTHORIZED);
  const supplied = Object.keys(parameters).map((name) => [name, singleValue(parameters, name) ?? ''] as const);
  return { ...receivePath(request), httpMethod: 'GET', supplied: Object.fromEntries(supplied) };
}

/**
 * A POST: the members of the body are the parameters, those of the URL are ignored; without a body there are
 * none (contract/services.md#resolution).
 *
 * @throws PlatformError REQ_MALFORMED_JSON, REQ_COST_EXCEEDED
 */
export async function receivePost(
  request: Request,
  response: Response,
  maxBodyBytes: number,
  limits: Pick<RequestLimits, 'batchItems' | 'graphNodes'>,
): Promise<ReceivedCall> {
  const body = await receiveBody(request, response, maxBodyBytes);
  try {
    const text = decodeBody(body.bytes);
    assertBodySize(text, limits);
    return { ...receivePath(request), httpMethod: 'POST', supplied: text.trim() === '' ? {} : await membersOf(text) };
  } finally {
    body.release();
  }
}

async function membersOf(text: string): Promise<ExactObject> {
  const body = await parseJson(text, 'The request body');
  if (!isExactObject(body)) throw new PlatformError('REQ_MALFORMED_JSON', 'The request body must be a JSON object');
  return body;
}

/** The service and the method of the path. */
export const receivePath = (request: Request): Pick<ReceivedCall, 'service' | 'method'> => ({
  service: pathParameter(request, 'serviceName'),
  method: pathParameter(request, 'methodName'),
});
