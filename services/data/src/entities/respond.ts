import type { DatabaseCost, Instance, ReadResult } from '@lintel/entities';
import { entityTag, nextLink } from '@lintel/entities';
import { matchesEntityTag, sendJsonText } from '@lintel/http';
import type { Request, Response } from 'express';
import { respondJson, respondList, respondRows } from './respond-rows.ts';

/**
 * Last stage: status, headers and body of an answer. The JSON of the rows is sent as it is.
 *
 * @param costOf what the request has cost so far, where that is to be told: of a streamed list until its
 *   first rows, with which the head goes out
 */
export async function respondRead(
  request: Request,
  response: Response,
  answer: ReadResult,
  costOf?: () => DatabaseCost,
): Promise<void> {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Authorization, Accept-Language');
  const setPreferences = (): void => setPreferenceHeaders(response, answer, costOf?.());
  if (answer.kind !== 'stream') setPreferences();
  switch (answer.kind) {
    case 'instance':
      await respondInstance(request, response, answer);
      return;
    case 'count':
      sendJsonText(response, String(answer.total));
      return;
    case 'list':
      setListHead(request, response, answer);
      await respondList(response, answer.rows);
      return;
    case 'stream':
      setListHead(request, response, answer);
      await sendBatches(response, answer.batches, setPreferences);
      return;
    default:
      answer satisfies never;
  }
}

async function respondInstance(request: Request, response: Response, instance: Instance): Promise<void> {
  const tag = entityTag(instance);
  response.setHeader('ETag', tag);
  if (matchesEntityTag(request.headers['if-none-match'], tag)) {
    response.status(304).end();
    return;
  }
  await respondJson(response, instance.json);
}

type ListAnswer = Extract<ReadResult, { kind: 'list' | 'stream' }>;

function setListHead(request: Request, response: Response, { total, next }: ListAnswer): void {
  if (total !== undefined) response.setHeader('X-Total-Count', String(total));
  const link = next === undefined ? undefined : nextLink(request.originalUrl, next);
  if (link !== undefined) response.setHeader('Link', link);
}

/** Says which preferences were followed (RFC 7240 §3), and what the answer has cost. */
function setPreferenceHeaders(response: Response, answer: ReadResult, cost: DatabaseCost | undefined): void {
  const count = 'appliedCount' in answer ? answer.appliedCount : undefined;
  const applied = [
    ...(count === undefined ? [] : [`count=${count}`]),
    ...(cost === undefined ? [] : ['server-timing']),
  ];
  if (applied.length > 0) response.setHeader('Preference-Applied', applied.join(', '));
  if (cost !== undefined) response.setHeader('Server-Timing', serverTiming(cost));
}

const serverTiming = ({ statements, waitedMs }: DatabaseCost): string =>
  `db;dur=${waitedMs.toFixed(1)}, q;desc="${statements} ${statements === 1 ? 'statement' : 'statements'}"`;

/**
 * Sends a list of unknown length. The head goes out with the first batch, so that an error before it gets
 * an answer of its own; after it, the thrown error destroys the connection and no cut list looks complete.
 *
 * @param setHead adds the headers that are known with the first batch
 */
async function sendBatches(
  response: Response,
  batches: AsyncIterable<readonly string[]>,
  setHead: () => void,
): Promise<void> {
  let opening = '[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    if (opening === '[') {
      setHead();
      response.setHeader('Content-Type', 'application/json');
      // Its head is all that was asked for.
      if (response.req.method === 'HEAD') {
        response.end();
        return;
      }
    }
    await respondRows(response, batch, { opening, separator: ',', closing: '' });
    opening = ',';
  }
  if (opening !== '[') {
    response.end(']');
    return;
  }
  setHead();
  sendJsonText(response, '[]');
}
