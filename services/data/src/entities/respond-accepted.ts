import type { ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import type { ExportForm, ReadDatabase, ReceivedRead } from '@lintel/reading';
import { type AccessOf, assertSpecific } from '@lintel/security';
import { acceptCall, type CallRunsOptions } from '../methods/background/call-runs.routes.ts';

/** An export, as its run keeps it: JSON. Its members are the parameters of the run, whose numbers are exact. */
export interface LargeExport extends Omit<ReceivedRead, 'members' | 'noteUnknown'> {
  readonly exportAs: ExportForm;
}

/**
 * Queues an export whose file its user downloads later (contract/exports.md#background).
 *
 * @throws PlatformError FILE_UPLOAD_DENIED, FILE_DOWNLOAD_DENIED, REQ_TOO_MANY_REQUESTS
 */
export function acceptExport(
  response: ServerResponse,
  { members: supplied, ...received }: ReceivedRead & LargeExport,
  principal: Principal,
  { accessOf, runs }: { readonly accessOf: AccessOf; readonly runs: CallRunsOptions },
): Promise<void> {
  assertMayUseFiles(accessOf, principal);
  const call = { service: 'exports', method: received.entityName, httpMethod: 'GET' as const, supplied };
  return acceptCall(response, { ...call, export: received }, principal, runs);
}

/** A database with which an export is checked and counted; its rows are read by the run. */
export const withoutRows = (database: ReadDatabase): ReadDatabase => ({
  query: (statement, signal) => database.query(statement, signal),
  async *stream() {},
});

/**
 * The file is an upload of its user, who downloads it.
 *
 * @throws PlatformError FILE_UPLOAD_DENIED, FILE_DOWNLOAD_DENIED
 */
export function assertMayUseFiles(accessOf: AccessOf, principal: Principal): void {
  const access = accessOf(principal);
  assertSpecific(access, 'rest.fileUpload.enabled', 'FILE_UPLOAD_DENIED', 'File upload is not permitted');
  assertSpecific(access, 'rest.fileDownload.enabled', 'FILE_DOWNLOAD_DENIED', 'File download is not permitted');
}
