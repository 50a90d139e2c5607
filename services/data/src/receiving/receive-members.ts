import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { type ExactObject, isExactObject } from '@lintel/query';
import type { RequestLimits } from '@lintel/reading';
import { receiveBody } from '../fair-shares/receive-body.ts';
import { assertQuerySize } from '../limits/assert-body-size.ts';

/** The limits of the body of a search or query. */
export type QueryBodyLimits = Pick<RequestLimits, 'listValues'>;

/**
 * The members of the JSON body of a request.
 *
 * @throws PlatformError as `receiveBody` and `readMembers`
 */
export async function receiveMembers(
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
  limits: QueryBodyLimits,
): Promise<ExactObject> {
  const body = await receiveBody(request, response, maxBodyBytes);
  try {
    return await readMembers(body.bytes, limits);
  } finally {
    body.release();
  }
}

/**
 * The members of a JSON body.
 *
 * @throws PlatformError REQ_COST_EXCEEDED, before values are made of the body; REQ_MALFORMED_JSON
 */
async function readMembers(body: Buffer, limits: QueryBodyLimits): Promise<ExactObject> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new PlatformError('REQ_MALFORMED_JSON', 'The request body is not UTF-8', { cause });
  }
  assertQuerySize(text, limits);
  const members = await parseJson(text, 'The request body');
  if (!isExactObject(members)) throw new PlatformError('REQ_MALFORMED_JSON', 'The request body must be a JSON object');
  return members;
}
