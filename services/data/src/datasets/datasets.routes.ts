import { type DatasetRequest, datasetRequestSchema, type Principal } from '@lintel/contracts';
import { parseJson } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { contextOf, readBody } from '@lintel/http';
import { isExactObject } from '@lintel/query';
import type { ReadDependencies } from '@lintel/reading';
import type { Request, Router } from 'express';
import { respondRows } from '../entities/respond-rows.ts';
import { toQueryError } from '../queries/query-error.ts';
import type { DatasetLines } from './dataset-lines.ts';
import { readAggregateDataset } from './read-aggregate-dataset.ts';
import { readDataset } from './read-dataset.ts';
import { readQueryDataset } from './read-query-dataset.ts';
import { readSqlDataset, type SqlDatasetPorts } from './read-sql-dataset.ts';

export type DatasetDependencies = ReadDependencies & SqlDatasetPorts;

/** `POST /datasets` of the internal listener: a data set as NDJSON, ended by `{"$end": <rows>}`. */
export function registerDatasetRoutes(router: Router, deps: DatasetDependencies): void {
  router.post('/datasets', async (request, response) => {
    const received = await receive(request, deps.limits.maxBodyBytes);
    const { principal, signal } = contextOf(request, response);
    let sent = 0;
    let opening: readonly string[] = [];
    for await (const { lines, rows } of withQueryErrors(read(received, principal, deps, signal))) {
      // The lines before the rows are sent with the first row, so that an earlier error can still set the status.
      opening = [...opening, ...lines];
      if (rows === 0) continue;
      if (!response.headersSent) response.setHeader('Content-Type', 'application/x-ndjson');
      await respondRows(response, opening, { opening: '', separator: '\n', closing: '\n' });
      opening = [];
      sent += rows;
    }
    if (!response.headersSent) response.setHeader('Content-Type', 'application/x-ndjson');
    response.end([...opening, JSON.stringify({ $end: sent }), ''].join('\n'));
  });
}

function read(
  received: DatasetRequest,
  principal: Principal,
  deps: DatasetDependencies,
  signal: AbortSignal,
): AsyncGenerator<DatasetLines> {
  if ('sql' in received) return readSqlDataset(received, deps, deps.limitsOf(principal), signal);
  if ('aggregates' in received) return readAggregateDataset(received, principal, deps, signal);
  if ('query' in received) return readQueryDataset(received, principal, deps, signal);
  return readDataset(received, principal, deps, signal);
}

async function* withQueryErrors(batches: AsyncGenerator<DatasetLines>): AsyncGenerator<DatasetLines> {
  try {
    yield* batches;
  } catch (error) {
    throw toQueryError(error);
  }
}

/** @throws PlatformError REQ_MALFORMED_JSON */
async function receive(request: Request, maxBodyBytes: number): Promise<DatasetRequest> {
  const body = await parseJson((await readBody(request, maxBodyBytes)).toString('utf8'), 'The request body');
  const { success, data, error } = datasetRequestSchema.safeParse(body);
  if (!isExactObject(body) || !success)
    throw new PlatformError('REQ_MALFORMED_JSON', 'The request body is no data set', { cause: error });
  // Values of any type keep their exact numbers.
  const exact = ['filter', 'fetchPlan', 'question'].filter((name) => name in data).map((name) => [name, body[name]]);
  return { ...data, ...Object.fromEntries(exact) };
}
