import type { IncomingHttpHeaders } from 'node:http';
import { PlatformError } from '@lintel/errors';

/** The version of tus (https://tus.io/protocols/resumable-upload) that the service speaks. */
export const TUS_VERSION = '1.0.0';
/** The extensions of it. */
export const TUS_EXTENSIONS = 'creation,creation-with-upload,expiration,termination';
/** The content type of bytes for an upload. */
export const OFFSET_TYPE = 'application/offset+octet-stream';

const invalid = (details: string): PlatformError => new PlatformError('FILE_INVALID_UPLOAD', details);

/** @throws REQ_PRECONDITION_FAILED if the client does not speak the version */
export function assertTusVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] === TUS_VERSION) return;
  throw new PlatformError('REQ_PRECONDITION_FAILED', `The header Tus-Resumable must be ${TUS_VERSION}`, {
    headers: { 'Tus-Version': TUS_VERSION },
  });
}

/** The length of a new upload. @throws FILE_INVALID_UPLOAD */
export function uploadLengthOf(headers: IncomingHttpHeaders): number {
  if (headers['upload-defer-length'] !== undefined)
    throw invalid('The header Upload-Defer-Length is not supported: Upload-Length is required');
  if (headers['upload-concat'] !== undefined) throw invalid('The header Upload-Concat is not supported');
  return bytesOf('Upload-Length', headers['upload-length']);
}

/** The position of the bytes of a request. @throws FILE_INVALID_UPLOAD */
export const uploadOffsetOf = (headers: IncomingHttpHeaders): number =>
  bytesOf('Upload-Offset', headers['upload-offset']);

/** @throws REQ_UNSUPPORTED_MEDIA_TYPE; FILE_INVALID_UPLOAD if the request wants a check that would not be made */
export function assertBytes(headers: IncomingHttpHeaders): void {
  if (!hasBytes(headers)) throw new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', `Content-Type must be ${OFFSET_TYPE}`);
  for (const name of ['Upload-Checksum', 'Content-Digest', 'Content-MD5'])
    if (headers[name.toLowerCase()] !== undefined)
      throw invalid(`The header ${name} is not supported in a resumable upload`);
}

/** Whether the body is of the content type for uploads. */
export const hasBytes = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === OFFSET_TYPE;

function bytesOf(name: string, header: string | string[] | undefined): number {
  if (header === undefined) throw invalid(`The header ${name} is required`);
  const value = /^\d{1,16}$/.test(String(header)) ? Number(header) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw invalid(`The header ${name} must be a number of bytes`);
  return value;
}
