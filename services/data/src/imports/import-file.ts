import {
  currentWriteDependencies,
  type IdempotentCall,
  idempotentRequest,
  recall,
  type WriteDependencies,
  type WriteResponse,
} from '@lintel/entities';
import { recordedEntities } from '@lintel/history';
import { rootOf } from '@lintel/metadata';
import type { Transaction } from '@lintel/persistence';
import { resolveEntity } from '@lintel/query';
import type { FileBytes } from './csv-rows.ts';
import { createFindNames } from './find-names.ts';
import type { ImportColumn } from './map-columns.ts';
import { type FileForm, readImport } from './read-import.ts';
import { type ImportCall, type ImportOptions, type ImportRecord, type ImportReport, runImport } from './run-import.ts';

/** The parameters of an import. */
export interface ReceivedImport extends FileForm {
  readonly options: ImportOptions;
}

/** The response to an import. */
export interface ImportResponse {
  /** 400 if nothing was imported; the body has `error` and `details` then. */
  readonly status: 200 | 400;
  readonly body: Readonly<Record<string, unknown>>;
}

interface FileRecord extends Omit<ImportRecord, 'keep'> {
  keep(report: ImportReport, transaction: Transaction, bodyOf: () => object): Promise<void>;
}

/**
 * Imports a file once under an idempotency key: a repeated request gets the stored response.
 *
 * @throws PlatformError REQ_IDEMPOTENCY_KEY_REUSED, REQ_IN_PROGRESS
 */
export async function importOnce(
  once: IdempotentCall,
  file: FileBytes,
  received: ReceivedImport,
  call: Omit<ImportCall, 'options'>,
  write: WriteDependencies,
): Promise<ImportResponse | WriteResponse> {
  const request = idempotentRequest(call.principal, once);
  let known: WriteResponse | undefined;
  try {
    return await importFile(file, received, call, write, {
      id: write.environment.ids.next(),
      reached: undefined,
      async begin(transaction) {
        known = await recall(write, transaction, request);
        if (known !== undefined) throw new Error('The key has a response');
      },
      keep: (_report, transaction, bodyOf) =>
        write.idempotency.record(transaction, request, { status: 200, headers: {}, body: JSON.stringify(bodyOf()) }),
    });
  } catch (error) {
    if (known !== undefined) return known;
    throw error;
  }
}

/** Reads a file, and imports its rows (contract/imports.md#imports). */
export async function importFile(
  file: FileBytes,
  received: ReceivedImport,
  call: Omit<ImportCall, 'options'>,
  write: WriteDependencies,
  record?: FileRecord,
): Promise<ImportResponse> {
  const deps = await currentWriteDependencies(write);
  const { options } = received;
  const model = deps.read.currentModel();
  const entity = resolveEntity(model, options.entityName);
  const { columns, mistake, forms, ...rows } = await readImport(
    file,
    received,
    {
      model,
      entity,
      access: deps.read.loadAccess(call.principal).read,
      isCreation: options.mode === 'create',
      readsVersion: deps.optimisticLockingEnabled,
      mayModify: deps.accessOf(call.principal).mayModify,
      messages: deps.read.currentMessages(),
    },
    createFindNames(call.principal, deps.read, call.signal),
  );
  const mapped = columns.map(({ column, path }) => ({ column, attribute: path?.join('.') ?? null }));
  if (mistake !== undefined)
    return { status: 400, body: { error: 'Cannot read the file', details: mistake, columns: mapped, ...forms } };
  const change = recordedEntities(model).has(rootOf(model, entity).name)
    ? (record?.id ?? deps.environment.ids.next())
    : undefined;
  const keys = new Set(options.key?.split(','));
  const bodyOf = ({ isStopped, ignored, changes, events, deleted, ...numbers }: ImportReport) => ({
    ...numbers,
    ignored: [...new Set([...columns.flatMap(serverAttribute), ...ignored])].filter((name) => !keys.has(name)),
    ...(options.mode === 'delete' ? { deleted } : {}),
    ...(isStopped ? { isStopped } : {}),
    ...(change !== undefined && !options.isRehearsal ? { change } : {}),
    ...(options.isRehearsal ? { changes, events } : {}),
    columns: mapped,
    ...forms,
  });
  const report = await runImport(
    { ...call, options, columns, change },
    rows,
    deps,
    record && { ...record, keep: (own, transaction) => record.keep(own, transaction, () => bodyOf(own)) },
  );
  const body = bodyOf(report);
  if (report.refused === 0 || options.skipsRefused || options.isRehearsal) return { status: 200, body };
  const details = `${report.refused} of ${report.rows} rows are refused: nothing was imported`;
  return { status: 400, body: { error: 'Import refused', details, ...body } };
}

const serverAttribute = ({ path, isOfServer }: ImportColumn): readonly string[] =>
  isOfServer === true && path !== null ? [path.join('.')] : [];
