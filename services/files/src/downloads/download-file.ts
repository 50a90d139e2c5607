import { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { locateFile } from '../references/locate-file.ts';
import { mayBeInline, servedContentType } from '../references/served-content-type.ts';
import type { BlobInfo, ByteRange } from '../storage/blob-store.ts';
import type { FileStorages } from '../storage/settings/file-storages.ts';
import { parseByteRanges } from './byte-ranges.ts';
import { contentRange, lengthOf, multipartRanges } from './multipart-ranges.ts';
import { allowsRange, assertPreconditions, type Conditions, etagOf, isNotModified } from './validators.ts';

/** A boolean query parameter; absent and empty are false. The accepted texts are those of the reference. */
function parseBooleanParameter(name: string, text: string | undefined): boolean {
  const given = text?.trim() ?? '';
  if (/^(?:true|on|yes|1)$/i.test(given)) return true;
  if (/^(?:false|off|no|0)?$/i.test(given)) return false;
  throw new PlatformError('REQ_INVALID_PARAMETER', `The query parameter "${name}" must be true or false`);
}

/** Which files a caller gets. */
export interface DownloadRights {
  /** @param key `<storage>://<path>` */
  mayRead(key: string): Promise<boolean>;
  /** Whether the file is the caller's own. */
  isOwn(blob: BlobInfo): boolean;
}

export interface DownloadRequest {
  /** The query parameters as they were sent, decoded once. */
  readonly fileRef: string | undefined;
  readonly attachment: string | undefined;
  readonly range: string | undefined;
  readonly conditions: Conditions;
  /** The rights of the caller; without them, every caller gets the file. */
  readonly rights?: DownloadRights | undefined;
}

export interface DownloadResponse {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens the bytes that belong to the headers; rejects where they have been removed. Absent for a 304. */
  readonly open?: () => Promise<Readable>;
}

export interface DownloadPorts {
  readonly storages: FileStorages;
  /** Extensions, in lower case, that may be shown in the browser. */
  readonly inlineExtensions: ReadonlySet<string>;
  /** A new UUID. */
  readonly newId: () => string;
}

/** No content of a file may run in the origin of the API. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Finds a file and returns status and headers of the response (contract/files.md#download). */
export async function downloadFile(request: DownloadRequest, ports: DownloadPorts): Promise<DownloadResponse> {
  const asAttachment = parseBooleanParameter('attachment', request.attachment);
  const { reference, storage } = locateFile(request.fileRef, ports.storages);
  const { rights } = request;
  // At once: both wait for other servers.
  const [blob, mayRead] = await Promise.all([
    storage.store.find(reference.path),
    rights === undefined || rights.mayRead(`${reference.storage}://${reference.path}`),
  ]);
  if (blob === undefined || (!mayRead && rights?.isOwn(blob) !== true)) throw fileNotFound(request.fileRef);
  assertPreconditions(request.conditions, blob);

  const contentType = servedContentType(blob.contentType, reference.name);
  const isInline = !asAttachment && mayBeInline(reference.name, contentType, ports.inlineExtensions);
  const headers = {
    'Cache-Control': 'no-cache',
    Pragma: 'no-cache',
    Expires: new Date(0).toUTCString(),
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(isInline ? 'inline' : 'attachment', reference.name),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': SANDBOX,
    ETag: etagOf(blob),
    'Last-Modified': blob.lastModified.toUTCString(),
    'Accept-Ranges': 'bytes',
    ...reprDigest(blob),
  };
  if (isNotModified(request.conditions, blob)) return { status: 304, headers };
  const read = (range?: ByteRange): Promise<Readable> =>
    storage.store.read(reference.path, range).catch((error: unknown) => {
      throw isGone(error) ? fileNotFound(request.fileRef) : error;
    });
  const ranges = chosenRanges(request, blob);
  const [first, second] = ranges ?? [];
  if (ranges === undefined || first === undefined)
    return { status: 200, headers: { ...headers, 'Content-Length': String(blob.size) }, open: () => read() };
  if (second === undefined) {
    const partial = {
      'Content-Length': String(lengthOf(first)),
      'Content-Range': contentRange(first, blob.size),
    };
    return { status: 206, headers: { ...headers, ...partial }, open: () => read(first) };
  }
  const body = multipartRanges(ranges, { sizeBytes: blob.size, contentType }, ports.newId());
  const several = { 'Content-Type': body.contentType, 'Content-Length': String(body.contentLength) };
  return {
    status: 206,
    headers: { ...headers, ...several },
    async open() {
      const bytes = async function* () {
        for (const { head, range } of body.parts) {
          yield Buffer.from(head);
          yield* await read(range);
        }
        yield Buffer.from(body.tail);
      };
      return Readable.from(bytes(), { objectMode: false });
    },
  };
}

/** SHA-256 of the whole file, also if only a part is sent (RFC 9530). */
const reprDigest = ({ sha256 }: BlobInfo): Readonly<Record<string, string>> =>
  sha256 === undefined ? {} : { 'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` };

function chosenRanges(request: DownloadRequest, blob: BlobInfo): readonly ByteRange[] | undefined {
  if (!allowsRange(request.conditions, blob)) return undefined;
  const ranges = parseByteRanges(request.range, blob.size);
  if (ranges === 'unsatisfiable')
    throw new PlatformError('REQ_RANGE_NOT_SATISFIABLE', `The file has ${blob.size} bytes`, {
      headers: { 'Content-Range': `bytes */${blob.size}` },
    });
  return ranges;
}

const fileNotFound = (reference: string | undefined): PlatformError =>
  new PlatformError('FILE_NOT_FOUND', `File not found. File reference: ${reference}`, { emptyBody: true });

const isGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'FILE_NOT_FOUND';

/**
 * `Content-Disposition` of a download. The encoding is not that of RFC 8187, but the one that existing clients read
 * (contract/files.md#download).
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  if (name === '') return kind;
  const encoded = encodeName(name);
  return `${kind}; filename="${encoded}"; filename*=utf-8''${encoded}`;
}

/** ASCII letters, digits and dots stay; all other characters become `%` and lower-case hex of their UTF-8 bytes. */
function encodeName(name: string): string {
  let encoded = '';
  for (const byte of Buffer.from(name, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9.]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }
  return encoded;
}
