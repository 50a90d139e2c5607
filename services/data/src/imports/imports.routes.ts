import { IMPORTS_PATH } from '@lintel/contracts';
import { currentWriteDependencies, type WriteDependencies } from '@lintel/entities';
import { applyPreference, contextOf, requireJsonAcceptable, sendJson, toMiddleware } from '@lintel/http';
import { resolveEntity } from '@lintel/query';
import type { Router } from 'express';
import { readImport } from './read-import.ts';
import { receiveFile, receiveImport } from './receive-import.ts';
import { assertImport, runImport } from './run-import.ts';

export interface ImportRouteOptions {
  readonly write: WriteDependencies;
  readonly maxImportBytes: number;
}

/** `POST /imports/{entity}` (contract/imports.md#imports). */
export function registerImportRoutes(router: Router, { write, maxImportBytes }: ImportRouteOptions): void {
  router.post(`${IMPORTS_PATH}/:entityName`, toMiddleware(requireJsonAcceptable), async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const deps = await currentWriteDependencies(write);
    const model = deps.read.currentModel();
    const received = receiveImport(request);
    const { options } = received;
    const imported = { options, principal, signal };
    // A file is received only from callers who may import it.
    await assertImport(imported, deps);
    const file = await receiveFile(request, response, received, maxImportBytes);
    const { columns, rows } = await readImport(file, received, {
      model,
      entity: resolveEntity(model, options.entityName),
      access: deps.read.loadAccess(principal).read,
      messages: deps.read.currentMessages(),
    });
    const { isStopped, ...report } = await runImport({ ...imported, columns }, rows, deps);
    if (options.isRehearsal) applyPreference(response, 'tx=rollback');
    const body = {
      ...report,
      ...(isStopped ? { isStopped } : {}),
      columns: columns.map(({ column, path }) => ({ column, attribute: path?.join('.') ?? null })),
    };
    response.setHeader('Cache-Control', 'no-store');
    if (report.refused === 0 || options.skipsRefused || options.isRehearsal) sendJson(response, 200, body);
    else
      sendJson(response, 400, {
        error: 'Import refused',
        details: `${report.refused} of ${report.rows} rows are refused: nothing was imported`,
        ...body,
      });
  });
}
