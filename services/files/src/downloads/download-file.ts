import type { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { contentTypeOf } from '../references/content-types.ts';
import { locateFile } from '../references/locate-file.ts';
import type { BlobInfo, ByteRange } from '../storage/blob-store.ts';
import type { FileStorages } from '../storage/file-storages.ts';
import { parseBooleanParameter } from './boolean-parameter.ts';
import { parseByteRange } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import { allowsRange, type Conditions, etagOf, isNotModified } from './validators.ts';

export interface DownloadRequest {
  /** The query parameters as they were sent, decoded once. */
  readonly fileRef: string | undefined;
  readonly attachment: string | undefined;
  readonly range: string | undefined;
  readonly conditions: Conditions;
}

export interface DownloadAnswer {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens the bytes that belong to the headers; absent for a 304. */
  readonly open?: () => Promise<Readable>;
}

export interface DownloadPorts {
  readonly storages: FileStorages;
  /** Extensions, in lower case, that may be shown in the browser. */
  readonly inlineExtensions: ReadonlySet<string>;
}

/** Nothing that a file holds may run in the name of the API's origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Finds a file and says how it is sent (contract-reports-files-metadata.md §2.2). */
export async function downloadFile(request: DownloadRequest, ports: DownloadPorts): Promise<DownloadAnswer> {
  const asAttachment = parseBooleanParameter('attachment', request.attachment);
  const { reference, storage } = locateFile(request.fileRef, ports.storages);
  const blob = await storage.store.find(reference.path);
  if (blob === undefined) throw fileNotFound(request.fileRef);

  const headers = {
    'Cache-Control': 'no-cache',
    Pragma: 'no-cache',
    Expires: new Date(0).toUTCString(),
    'Content-Type': contentTypeOf(reference.name),
    'Content-Disposition': contentDisposition(reference.name, asAttachment, ports.inlineExtensions),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': SANDBOX,
    ETag: etagOf(blob),
    'Last-Modified': blob.lastModified.toUTCString(),
    'Accept-Ranges': 'bytes',
  };
  if (isNotModified(request.conditions, blob)) return { status: 304, headers };
  const range = chosenRange(request, blob);
  const open = (): Promise<Readable> =>
    storage.store.read(reference.path, range).catch((error: unknown) => {
      throw isGone(error) ? fileNotFound(request.fileRef) : error;
    });
  if (range === undefined) return { status: 200, headers: { ...headers, 'Content-Length': String(blob.size) }, open };
  return {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(range.end - range.start + 1),
      'Content-Range': `bytes ${range.start}-${range.end}/${blob.size}`,
    },
    open,
  };
}

function chosenRange(request: DownloadRequest, blob: BlobInfo): ByteRange | undefined {
  if (!allowsRange(request.conditions, blob)) return undefined;
  const range = parseByteRange(request.range, blob.size);
  if (range === 'unsatisfiable')
    throw new PlatformError('REQ_RANGE_NOT_SATISFIABLE', `The file has ${blob.size} bytes`, {
      headers: { 'Content-Range': `bytes */${blob.size}` },
    });
  return range;
}

const fileNotFound = (reference: string | undefined): PlatformError =>
  new PlatformError('FILE_NOT_FOUND', `File not found. File reference: ${reference}`, { emptyBody: true });

const isGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'FILE_NOT_FOUND';
