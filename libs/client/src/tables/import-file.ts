import { type ChangeOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { pathOf, withQuery } from '../connection/paths.ts';
import { type BackgroundRun, resultOf } from '../connection/result-of.ts';
import { type FileContent, sizeOf } from '../files/file-content.ts';
import { requestBodyOf } from '../files/request-body.ts';
import { type StoredFile, type UploadOptions, uploadFile } from '../files/upload-file.ts';
import type { Rehearsal } from '../history/rehearse.ts';

/** How a table is imported. */
export interface ImportOptions extends ChangeOptions, Pick<UploadOptions, 'onProgress'> {
  /** `text/csv` by default, with the charset of another encoding than UTF-8; or the type of NDJSON or of a workbook. */
  readonly contentType?: string | undefined;
  /** `create` without `key`, else `upsert`. */
  readonly mode?: 'create' | 'update' | 'upsert' | 'delete' | undefined;
  /** Attributes of a unique constraint with commas, by which instances are found. */
  readonly key?: string | undefined;
  /** Attributes by the header of their column; null skips a column. */
  readonly columns?: Readonly<Record<string, string | null>> | undefined;
  /** `stop` by default: nothing is imported if a row is refused. */
  readonly refused?: 'stop' | 'skip' | undefined;
  /** `null` by default: the value of empty cells. */
  readonly empty?: 'null' | 'skip' | undefined;
  /** Found in the header by default. */
  readonly delimiter?: string | undefined;
  /** Of CSV: the decimal sign, and the order of days and months; found by cells by default. */
  readonly decimal?: '.' | ',' | undefined;
  readonly dateOrder?: 'dmy' | 'mdy' | undefined;
  /** Called with each state of an import in the background. */
  readonly onRun?: ((run: BackgroundRun) => void) | undefined;
  /** Rolls everything back: the report is the one of the import. */
  readonly dryRun?: boolean | undefined;
}

/** The outcome of an import; of a rehearsal with the first 1,000 changes and events. */
export interface ImportReport extends Partial<Rehearsal> {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** With the mode `delete`. */
  readonly deleted?: number;
  readonly refused: number;
  /** The import has stopped after too many refused rows. */
  readonly isStopped?: boolean;
  /** The reasons of refused rows. */
  readonly errors: readonly {
    readonly row: number;
    readonly column?: string;
    readonly attribute?: string;
    readonly reason: string;
  }[];
  /** Attributes that were sent without an effect: the caller may not change them, or the server sets them. */
  readonly ignored: readonly string[];
  /** The recorded change of an entity with a history, which `history().undo` takes back. */
  readonly change?: string;
  readonly columns: readonly { readonly column: string; readonly attribute: string | null }[];
  /** The forms of numbers and dates that were used; absent where all were the ones of the API. */
  readonly decimal?: '.' | ',';
  readonly dateOrder?: 'dmy' | 'mdy';
}

/** Files above it are stored, and imported in the background: the server takes no body above 10 MB. */
const LARGE_BYTES = 8 * 1024 * 1024;

/**
 * Imports a table. One of more than 8 MiB is uploaded, and imported in the background, as a stored file is. Rejects if
 * nothing was imported: `body` of the `RestError` is the report if rows were refused.
 *
 * @example await importFile(client, 'sales_Product', file, { key: 'sku', dryRun: true })
 */
export async function importFile(
  { connection }: { readonly connection: Connection },
  entity: string,
  content: FileContent | Pick<StoredFile, 'fileRef'>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const {
    contentType = 'text/csv',
    columns,
    dryRun,
    mode,
    key,
    refused,
    empty,
    delimiter,
    decimal,
    dateOrder,
  } = options;
  const parameters = { mode, key, refused, empty, delimiter, decimal, dateOrder, dryRun, columns };
  const stored = await storedFile(connection, content, { ...options, contentType });
  const reply = await connection.read({
    method: 'POST',
    path: withQuery(pathOf(`${connection.paths.base}/imports`, entity), parameters),
    repeatable: dryRun === true,
    ...callOf(options),
    ...(stored === undefined
      ? {
          headers: { 'content-type': contentType },
          ...(await requestBodyOf(content as FileContent, options.onProgress)),
        }
      : { json: { file: stored.fileRef, type: contentType } }),
  });
  return (await resultOf(connection, reply, options)) as ImportReport;
}

/** A file that the server has, or gets since it is large; undefined for a small one. */
async function storedFile(
  connection: Connection,
  content: FileContent | Pick<StoredFile, 'fileRef'>,
  options: UploadOptions,
): Promise<Pick<StoredFile, 'fileRef'> | undefined> {
  if (isStored(content)) return content;
  const { name = 'import' } = content as { readonly name?: string };
  return (sizeOf(content) ?? 0) > LARGE_BYTES ? uploadFile(connection, content, { name, ...options }) : undefined;
}

const isStored = (content: FileContent | Pick<StoredFile, 'fileRef'>): content is Pick<StoredFile, 'fileRef'> =>
  typeof content === 'object' && 'fileRef' in content;
