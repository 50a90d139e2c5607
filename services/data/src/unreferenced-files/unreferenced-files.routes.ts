import { INTEGERS } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { fileKeyOf } from '@lintel/reading';
import type { Logger } from '@lintel/telemetry';
import type { Router } from 'express';
import { z } from 'zod';
import type { OperatorGuard } from '../operations/receive-operator.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { receiveChecked } from '../rights/receive-rights.ts';
import { findUnreferenced, type UnreferencedDeps } from './find-unreferenced.ts';
import { removeUnreferenced } from './remove-unreferenced.ts';

export interface UnreferencedFilesOptions extends UnreferencedDeps {
  /** Prefix below the router: `/operations`. */
  readonly path: string;
  readonly guard: OperatorGuard;
  readonly logger: Pick<Logger, 'info'>;
}

const MANAGE = 'files.manage';
const MAX_REMOVED = 100;
/** Of a position: the name of a storage and a key. */
const MAX_CURSOR = 1_500;
const MAX_REFERENCE = 4_000;
const MAX_BODY_BYTES = 512 * 1024;
const REFERENCE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^?#\0]+\?[^\0]+$/;

const removalSchema = z.strictObject({
  fileRefs: z
    .array(z.string().max(MAX_REFERENCE).regex(REFERENCE, 'must be a file reference'))
    .min(1)
    .max(MAX_REMOVED)
    .refine((refs) => new Set(refs.map(fileKeyOf)).size === refs.length, 'must name each file once'),
});

/** Files that nothing refers to, and their removal (contract/operations.md#unreferenced-files). */
export function registerUnreferencedFilesRoutes(router: Router, options: UnreferencedFilesOptions): void {
  const { guard, logger } = options;
  const path = `${options.path}/unreferenced-files`;
  router.get(path, async (request, response) => {
    guard(request, response, MANAGE);
    const limit = numberOf(request, INTEGERS.unreferencedFiles);
    sendJson(response, 200, await findUnreferenced(cursorOf(request.query['cursor']), limit, options));
  });
  router.post(`${path}/remove`, async (request, response) => {
    guard(request, response, MANAGE);
    const { fileRefs } = await receiveChecked(request, removalSchema, MAX_BODY_BYTES);
    const results = await removeUnreferenced(fileRefs, options);
    const removed = results.filter(({ result }) => result === 'removed').length;
    logger.info({ removed, by: contextOf(request, response).principal.sessionId }, 'unreferenced files removed');
    sendJson(response, 200, results);
  });
}

function cursorOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > MAX_CURSOR || value.includes('\0'))
    throw new PlatformError('REQ_INVALID_PARAMETER', `cursor must be one text of 1 to ${MAX_CURSOR} characters`);
  return value;
}
