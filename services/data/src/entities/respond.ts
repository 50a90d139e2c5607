import type { ServerResponse } from 'node:http';
import { EXPORT_TYPES } from '@lintel/contracts';
import { applyPreference, matchesEntityTag, type RoutedRequest, sendJsonText } from '@lintel/http';
import { csvHeader } from '@lintel/query';
import { type DatabaseCost, entityTag, type Instance, nextLink, type ReadResult } from '@lintel/reading';
import { type Frame, respondBytes, respondJson, respondList, respondRows } from './respond-rows.ts';

/**
 * Last stage: sends status, headers and body of a response. The JSON of the rows is sent unchanged.
 *
 * @param costOf returns the cost of the request so far, if the response reports it; for a streamed list the cost until
 *   its first rows, with which the head is sent
 */
export async function respondRead(
  request: RoutedRequest,
  response: ServerResponse,
  result: ReadResult,
  costOf?: () => DatabaseCost,
): Promise<void> {
  response.setHeader('Cache-Control', 'private, no-cache');
  const isList = result.kind === 'list' || result.kind === 'stream';
  response.setHeader('Vary', isList ? 'Accept, Authorization, Accept-Language' : 'Authorization, Accept-Language');
  const setPreferences = (): void => setPreferenceHeaders(response, result, costOf?.());
  if (result.kind !== 'stream') setPreferences();
  switch (result.kind) {
    case 'instance':
      await respondInstance(request, response, result);
      return;
    case 'count':
      sendJsonText(response, String(result.total));
      return;
    case 'list':
      setListHead(request, response, result);
      await respondList(response, result.rows);
      return;
    case 'stream':
      setListHead(request, response, result);
      if (result.exported?.format === 'xlsx') {
        // Loaded late: workbooks need libraries of several megabytes.
        const { sendWorkbook } = await import('../exports/send-workbook.ts');
        await sendWorkbook(response, result.exported, result.batches, setPreferences);
      } else await sendBatches(response, result, setPreferences);
      return;
    default:
      result satisfies never;
  }
}

async function respondInstance(request: RoutedRequest, response: ServerResponse, instance: Instance): Promise<void> {
  const tag = entityTag(instance);
  response.setHeader('ETag', tag);
  if (matchesEntityTag(request.headers['if-none-match'], tag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  await respondJson(response, instance.json);
}

type ListResult = Extract<ReadResult, { kind: 'list' | 'stream' }>;

function setListHead(request: RoutedRequest, response: ServerResponse, { total, next, candidates }: ListResult): void {
  if (candidates !== undefined) response.setHeader('X-Candidates', String(candidates));
  if (total !== undefined) response.setHeader('X-Total-Count', String(total));
  const link = next === undefined ? undefined : nextLink(request.originalUrl, next);
  if (link !== undefined) response.appendHeader('Link', link);
}

/** Sets the headers of the applied preferences (RFC 7240 §3) and of the cost. */
function setPreferenceHeaders(response: ServerResponse, result: ReadResult, cost: DatabaseCost | undefined): void {
  const count = 'appliedCount' in result ? result.appliedCount : undefined;
  const applied = [
    ...(count === undefined ? [] : [`count=${count}`]),
    ...(cost === undefined ? [] : ['server-timing']),
  ];
  for (const preference of applied) applyPreference(response, preference);
  if (cost !== undefined) response.setHeader('Server-Timing', serverTiming(cost));
}

const serverTiming = ({ statements, waitedMs }: DatabaseCost): string =>
  `db;dur=${waitedMs.toFixed(1)}, q;desc="${statements} ${statements === 1 ? 'statement' : 'statements'}"`;

/**
 * Sends a list of unknown length. The head is sent with the first batch, so that an error before it has a regular error
 * response. A later error destroys the connection, so that a truncated list does not look complete.
 *
 * @param setHead sets the headers that are known with the first batch
 */
async function sendBatches(
  response: ServerResponse,
  { batches, exported }: Extract<ReadResult, { kind: 'stream' }>,
  setHead: () => void,
): Promise<void> {
  const { type, opening, separator, closing } = frameOf(exported);
  let before: string | undefined;
  for await (const batch of batches) {
    if (!('pieces' in batch) && batch.length === 0) continue;
    if (before === undefined) {
      setHead();
      response.setHeader('Content-Type', type);
      // The response to HEAD has no body.
      if (response.req.method === 'HEAD') {
        response.end();
        return;
      }
    }
    if ('pieces' in batch) await respondBytes(response, batch, before === undefined ? opening : undefined);
    else await respondRows(response, batch, { opening: before ?? opening, separator, closing: '' });
    before = separator;
  }
  if (before !== undefined) {
    response.end(closing);
    return;
  }
  setHead();
  sendJsonText(response, exported === undefined ? '[]' : opening, type);
}

type Exported = Extract<ReadResult, { kind: 'stream' }>['exported'];

/** What is around the rows of a list, and its media type. */
export const frameOf = (exported: Exported): Frame & { readonly type: string } =>
  exported === undefined
    ? { type: 'application/json', opening: '[', separator: ',', closing: ']' }
    : {
        type: exported.format === 'csv' ? `${EXPORT_TYPES.csv};charset=utf-8` : EXPORT_TYPES[exported.format],
        opening: exported.format === 'csv' ? `${exported.isMarked ? '\uFEFF' : ''}${csvHeader(exported)}\n` : '',
        separator: '\n',
        closing: '\n',
      };
