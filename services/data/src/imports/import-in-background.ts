import type { Principal } from '@lintel/contracts';
import { CALL_JOB, type WriteDependencies } from '@lintel/entities';
import { isPlatformError, PlatformError } from '@lintel/errors';
import type { Database } from '@lintel/persistence';
import { assertSpecific } from '@lintel/security';
import { currentTrace, runInTrace, traceOfRequest } from '@lintel/telemetry';
import { failureOfError, RunFailure } from '../access/run-failure.ts';
import { errorOfCode } from '../controllers/response-of-error.ts';
import { IMPORT_RETRIES, type ImportInBackground } from '../methods/background/call-job.ts';
import { keyOfFile } from '../unreferenced-files/create-file-references.ts';
import type { StoredFiles } from '../unreferenced-files/stored-files.ts';
import type { FileBytes } from './csv-rows.ts';
import { importFile, type ReceivedImport } from './import-file.ts';
import type { ImportCall, ImportReport } from './run-import.ts';

/** An import of a stored file, as its run keeps it: JSON. */
export interface LargeImport extends ReceivedImport, Pick<ImportCall, 'unknownMembers'> {
  readonly fileRef: string;
  readonly reason: string | undefined;
  /** The report of the rows that are committed. */
  readonly reached?: Omit<ImportReport, 'ignored'> & { readonly ignored: readonly string[] };
}

export interface BackgroundDependencies {
  readonly files: StoredFiles | undefined;
  readonly database: Database;
  readonly write: WriteDependencies;
}

/** Only the active attempt goes on: another process may have the run by now. */
const active = (set: string): string => `UPDATE job.job SET ${set}
WHERE name = '${CALL_JOB.name}' AND id = $1 AND state = 'active' AND retry_count = $2 RETURNING id`;
const KEEP = active("data = jsonb_set(data, '{args,import,reached}', $3::jsonb)");
const PERMIT_RETRIES = active(`retry_limit = ${IMPORT_RETRIES}`);
const END = active('retry_limit = retry_count');

/** Creates what runs the imports of stored files; an interrupted one continues after its last transaction. */
export const createImportInBackground =
  ({ files, database, write }: BackgroundDependencies): ImportInBackground =>
  async (args, principal, { run, signal, progress }) => {
    const { fileRef, reason, reached, unknownMembers, ...received } = args as LargeImport;
    const attempt = [run.id, run.attempt - 1];
    const record = {
      id: run.id,
      reached: reached && { ...reached, ignored: new Set(reached.ignored) },
      async keep({ ignored, ...report }: ImportReport, transaction: Pick<Database, 'query'>) {
        const json = JSON.stringify({ ...report, ignored: [...ignored] });
        const kept = await transaction.query({ text: KEEP, values: [...attempt, json] });
        if (kept.length === 0) throw new Error('The run is cancelled, or another process has it');
      },
    };
    const trace = {
      ...(currentTrace() ?? traceOfRequest(undefined)),
      ...(reason !== undefined && { changeReason: reason }),
    };
    const refuse = async (failure: RunFailure): Promise<never> => {
      await database.query({ text: END, values: attempt });
      throw failure;
    };
    try {
      await database.query({ text: PERMIT_RETRIES, values: attempt });
      const file = await storedFile(fileRef, principal, { files, write });
      const call = { principal, signal, unknownMembers, progress };
      const { status, body } = await runInTrace(trace, () => importFile(file, received, call, write, record));
      if (status === 200) return JSON.stringify(body);
      const { error, details, ...report } = body;
      const failure = { status, error: String(error), details: String(details), ...report };
      return await refuse(new RunFailure(failure, new PlatformError('REQ_CANNOT_DESERIALIZE', failure.details)));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RunFailure) throw error;
      const failure = new RunFailure(failureOfError(errorOfCode(error)), error);
      if (isPlatformError(error) && error.status < 500) return refuse(failure);
      throw failure;
    }
  };

/** Bytes that are read at once. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * The bytes of a file that the caller gets.
 *
 * @throws PlatformError FILE_DOWNLOAD_DENIED, REQ_INVALID_PARAMETER
 */
export async function storedFile(
  fileRef: string,
  principal: Principal,
  { files, write, isDownload }: Omit<BackgroundDependencies, 'database'> & { readonly isDownload?: boolean },
): Promise<FileBytes> {
  const access = write.accessOf(principal);
  assertSpecific(access, 'rest.fileDownload.enabled', 'FILE_DOWNLOAD_DENIED', 'File download is not permitted');
  const [file] = (await files?.describe([fileRef])) ?? [];
  const unreadable = await write.unreadableFiles?.([fileRef], principal, write.database, isDownload);
  if (files === undefined || file === undefined || unreadable?.has(keyOfFile(file)) === true)
    throw new PlatformError('REQ_INVALID_PARAMETER', 'file: there is no such file');
  return async function* () {
    for (let from = 0; from < file.size; from += PART_BYTES) {
      const part = await files.read(fileRef, { from, bytes: PART_BYTES });
      if (part === undefined) throw new PlatformError('REQ_INVALID_PARAMETER', 'file: it was removed');
      yield part;
    }
  };
}
