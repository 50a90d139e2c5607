import { hash } from 'node:crypto';
import { IMPORTS_PATH, importBody } from '@lintel/contracts';
import { currentWriteDependencies, type WriteDependencies } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import {
  applyPreference,
  contextOf,
  handlingFor,
  requireJsonAcceptable,
  sendJson,
  sendJsonText,
  toMiddleware,
  type UnknownMembers,
} from '@lintel/http';
import { currentChangeReason, noteOperation } from '@lintel/telemetry';
import type { Request, Response, Router } from 'express';
import { idempotentCallOf } from '../entities/receive-write.ts';
import { receiveBody } from '../fair-shares/receive-body.ts';
import { acceptCall, type CallRunsOptions, mayContinue } from '../methods/background/call-runs.routes.ts';
import { receiveChecked } from '../rights/receive-rights.ts';
import type { StoredFiles } from '../unreferenced-files/stored-files.ts';
import { bytesInMemory } from './csv-rows.ts';
import { importFile, importOnce } from './import-file.ts';
import { storedFile } from './import-in-background.ts';
import { receiveImport } from './receive-import.ts';
import { assertImport, type ImportCall } from './run-import.ts';

export interface ImportRouteOptions {
  readonly write: WriteDependencies;
  readonly maxImportBytes: number;
  readonly unknownMembers: UnknownMembers;
  readonly files: StoredFiles | undefined;
  readonly runs: CallRunsOptions;
}

/** `POST /imports/{entity}` (contract/imports.md#imports). */
export function registerImportRoutes(
  router: Router,
  { write, maxImportBytes, files, runs, ...set }: ImportRouteOptions,
) {
  const callOf = (request: Request, response: Response): Omit<ImportCall, 'options'> => {
    const { principal, signal } = contextOf(request, response);
    const refuses = handlingFor(request, response, set.unknownMembers) === 'refuse';
    return { principal, signal, unknownMembers: refuses ? 'refuse' : 'name' };
  };

  async function acceptFile(request: Request, response: Response): Promise<void> {
    const { principal, ...call } = callOf(request, response);
    const { file: fileRef, type } = await receiveChecked(request, importBody);
    const received = receiveImport(request, type);
    await assertImport({ ...call, principal, options: received.options }, await currentWriteDependencies(write));
    if (!mayContinue(principal))
      throw new PlatformError('REQ_INVALID_PARAMETER', 'Stored files are imported for users alone');
    noteOperation('file');
    await storedFile(fileRef, principal, { files, write, isDownload: true });
    const { unknownMembers } = call;
    const run = {
      ...{ service: 'imports', method: received.options.entityName, httpMethod: 'POST' as const, supplied: {} },
      import: { ...received, fileRef, unknownMembers, reason: currentChangeReason() },
      // A rehearsal is no import: what `Prefer` says is a part of the request.
      idempotentCall: idempotentCallOf(
        request,
        JSON.stringify([fileRef, type, unknownMembers, received.options.isRehearsal]),
      ),
    };
    if (received.options.isRehearsal) applyPreference(response, 'tx=rollback');
    await acceptCall(response, run, principal, runs);
  }

  router.post(`${IMPORTS_PATH}/:entityName`, toMiddleware(requireJsonAcceptable), async (request, response) => {
    const { 'content-type': type = '', 'idempotency-key': key } = request.headers;
    if (/^application\/json\b/i.test(type)) return acceptFile(request, response);
    const received = receiveImport(request, type);
    const { isRehearsal, skipsRefused } = received.options;
    if (key !== undefined && skipsRefused)
      throw new PlatformError('REQ_INVALID_PARAMETER', 'Idempotency-Key with refused=skip is for stored files alone');
    const call = callOf(request, response);
    // A file is received only from callers who may import it.
    await assertImport({ ...call, options: received.options }, await currentWriteDependencies(write));
    const { bytes } = await receiveBody(request, response, maxImportBytes);
    const file = bytesInMemory(bytes);
    const content = JSON.stringify([type, call.unknownMembers, hash('sha256', bytes)]);
    const once = idempotentCallOf(request, content);
    const imported = once === undefined || isRehearsal ? importFile : importOnce.bind(undefined, once);
    const { status, body } = await imported(file, received, call, write);
    if (isRehearsal) applyPreference(response, 'tx=rollback');
    response.setHeader('Cache-Control', 'no-store');
    if (typeof body === 'string') {
      response.setHeader('Idempotency-Replayed', 'true');
      sendJsonText(response, body);
    } else sendJson(response, status, body);
  });
}
