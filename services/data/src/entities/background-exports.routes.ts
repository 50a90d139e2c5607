import { currentTrace, noteOperation, runInTrace, traceOfRequest } from '@lintel/telemetry';
import { failureOfError, RunFailure } from '../access/run-failure.ts';
import { errorOfCode } from '../controllers/response-of-error.ts';
import type { ExportInBackground } from '../methods/background/call-job.ts';
import type { StoredFiles } from '../unreferenced-files/stored-files.ts';
import { createEntityReader } from './read-entities.routes.ts';
import { frameOf } from './respond.ts';
import { assertMayUseFiles, type LargeExport } from './respond-accepted.ts';
import { exportBytes } from './respond-bytes.ts';

type Dependencies = Parameters<typeof createEntityReader>[0];

/** Creates what stores exports as files of their users. */
export const createExportInBackground =
  (files: StoredFiles | undefined, deps: Dependencies): ExportInBackground =>
  async (args, members, principal, signal) => {
    const { exportAs, ...received } = args as LargeExport;
    const store = async (): Promise<string> => {
      noteOperation(received.filterRequired === true ? 'search' : 'list');
      assertMayUseFiles(deps.accessOf, principal);
      const read = createEntityReader(deps)({ ...received, members }, principal, exportAs);
      const result = await read(deps.database, signal);
      if (result.kind !== 'stream' || files === undefined) throw new Error('The export has no rows, or no storage');
      const { total, next, candidates } = result;
      const contentType = frameOf(result.exported).type;
      const file = { name: `${received.entityName}.${exportAs.format}`, contentType };
      const pieces = exportBytes(result);
      try {
        const content = resumed(await pieces.next(), pieces);
        const stored = await files.store({ ...file, content }, principal, signal);
        if (signal.aborted) {
          await files.remove(stored.fileRef);
          signal.throwIfAborted();
        }
        return JSON.stringify({ ...stored, contentType, total, next, candidates });
      } finally {
        // A storage that takes no piece leaves the connection of the database open.
        await pieces.return(undefined);
      }
    };
    try {
      return await runInTrace({ ...(currentTrace() ?? traceOfRequest(undefined)) }, store);
    } catch (error) {
      signal.throwIfAborted();
      throw new RunFailure(failureOfError(errorOfCode(error)), error);
    }
  };

/** The pieces, of which the first one is there: an upload that sends nothing for a minute would be ended. */
async function* resumed(first: IteratorResult<Uint8Array>, others: AsyncIterable<Uint8Array>) {
  if (first.done !== true) yield first.value;
  yield* others;
}
