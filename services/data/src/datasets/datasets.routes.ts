import { datasetRequestSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, readBody } from '@lintel/http';
import { type ExactObject, isExactObject, parseExactJson } from '@lintel/query';
import type { Request, Router } from 'express';
import type { ReadDependencies } from '../entities/read-dependencies.ts';
import { respondRows } from '../entities/respond-rows.ts';
import { readDataset } from './read-dataset.ts';

/** `POST /datasets` of the internal listener: a data set as NDJSON, ended by `{"$end": <rows>}`. */
export function registerDatasetRoutes(router: Router, deps: ReadDependencies): void {
  router.post('/datasets', async (request, response) => {
    const members = await receive(request, deps.limits.maxBodyBytes);
    const { principal, signal } = contextOf(request, response);
    const batches = readDataset(members, principal, deps, signal);
    let rows = 0;
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      if (rows === 0) response.setHeader('Content-Type', 'application/x-ndjson');
      await respondRows(response, batch, { opening: '', separator: '\n', closing: '\n' });
      rows += batch.length;
    }
    if (rows === 0) response.setHeader('Content-Type', 'application/x-ndjson');
    response.end(`${JSON.stringify({ $end: rows })}\n`);
  });
}

/** @throws PlatformError REQ_MALFORMED_JSON */
async function receive(request: Request, maxBodyBytes: number): Promise<ExactObject> {
  const body = parseExactJson((await readBody(request, maxBodyBytes)).toString('utf8'), 'The request body');
  const { success, error } = datasetRequestSchema.safeParse(body);
  if (!isExactObject(body) || !success)
    throw new PlatformError('REQ_MALFORMED_JSON', 'The request body is no data set', { cause: error });
  return body;
}
