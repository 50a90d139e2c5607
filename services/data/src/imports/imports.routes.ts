import { IMPORTS_PATH } from '@lintel/contracts';
import { currentWriteDependencies, type WriteDependencies } from '@lintel/entities';
import {
  applyPreference,
  contextOf,
  handlingFor,
  requireJsonAcceptable,
  sendJson,
  toMiddleware,
  type UnknownMembers,
} from '@lintel/http';
import { resolveEntity } from '@lintel/query';
import type { Router } from 'express';
import type { ImportColumn } from './map-columns.ts';
import { readImport } from './read-import.ts';
import { receiveFile, receiveImport } from './receive-import.ts';
import { assertImport, runImport } from './run-import.ts';

export interface ImportRouteOptions {
  readonly write: WriteDependencies;
  readonly maxImportBytes: number;
  readonly unknownMembers: UnknownMembers;
}

/** `POST /imports/{entity}` (contract/imports.md#imports). */
export function registerImportRoutes(router: Router, { write, maxImportBytes, ...set }: ImportRouteOptions): void {
  router.post(`${IMPORTS_PATH}/:entityName`, toMiddleware(requireJsonAcceptable), async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const deps = await currentWriteDependencies(write);
    const model = deps.read.currentModel();
    const received = receiveImport(request);
    const { options } = received;
    const refuses = handlingFor(request, response, set.unknownMembers) === 'refuse';
    const unknownMembers = refuses ? ('refuse' as const) : ('name' as const);
    const imported = { options, principal, signal, unknownMembers };
    // A file is received only from callers who may import it.
    await assertImport(imported, deps);
    const file = await receiveFile(request, response, received, maxImportBytes);
    const { columns, mistake, forms, rows } = await readImport(file, received, {
      model,
      entity: resolveEntity(model, options.entityName),
      access: deps.read.loadAccess(principal).read,
      isCreation: options.mode === 'create',
      readsVersion: deps.optimisticLockingEnabled,
      mayModify: deps.accessOf(principal).mayModify,
      messages: deps.read.currentMessages(),
    });
    response.setHeader('Cache-Control', 'no-store');
    const mapped = columns.map(({ column, path }) => ({ column, attribute: path?.join('.') ?? null }));
    if (mistake !== undefined) {
      sendJson(response, 400, { error: 'Cannot read the file', details: mistake, columns: mapped, ...forms });
      return;
    }
    const { isStopped, ignored, changes, events, ...report } = await runImport({ ...imported, columns }, rows, deps);
    if (options.isRehearsal) applyPreference(response, 'tx=rollback');
    const keys = new Set(options.key?.split(','));
    const body = {
      ...report,
      ignored: [...new Set([...columns.flatMap(serverAttribute), ...ignored])].filter((name) => !keys.has(name)),
      ...(isStopped ? { isStopped } : {}),
      ...(options.isRehearsal ? { changes, events } : {}),
      columns: mapped,
      ...forms,
    };
    if (report.refused === 0 || options.skipsRefused || options.isRehearsal) sendJson(response, 200, body);
    else
      sendJson(response, 400, {
        error: 'Import refused',
        details: `${report.refused} of ${report.rows} rows are refused: nothing was imported`,
        ...body,
      });
  });
}

const serverAttribute = ({ path, isOfServer }: ImportColumn): readonly string[] =>
  isOfServer === true && path !== null ? [path.join('.')] : [];
