import type { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import type { Clock } from '@lintel/timing';
import { filePathFor, formatFileReference } from '../references/file-reference.ts';
import type { BlobDescription } from '../storage/blob-store.ts';
import type { FileStorage } from '../storage/settings/file-storages.ts';

/** The service that a file belongs to, or the user who has uploaded it. */
export type FileOrigin = Pick<BlobDescription, 'storedBy' | 'uploadedBy'>;

export interface UploadRequest {
  readonly storage: FileStorage;
  /** Original file name; may be empty. */
  readonly name: string;
  readonly contentType: string;
  /** Fails before its last byte if the upload is refused. */
  readonly content: Readable;
  readonly origin: FileOrigin;
}

/** The file reference object of contract/files.md#upload. */
export interface FileReferenceObject {
  readonly fileRef: string;
  readonly name: string;
  /** Number of stored bytes. */
  readonly size: number;
}

export interface UploadPorts {
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
}

const LONGEST_NAME = 255;

/** Stores a file completely, or not at all. */
export async function uploadFile(request: UploadRequest, ports: UploadPorts): Promise<FileReferenceObject> {
  const { storage, contentType, content, origin } = request;
  const name = request.name.toWellFormed();
  assertFileName(name);
  const path = filePathFor(new Date(ports.clock.now()), ports.newId(), name);
  const { size } = await storage.store.write(path, content, { name, contentType, ...origin });
  return {
    fileRef: formatFileReference({ storage: storage.name, path, name, parameters: [] }),
    name,
    size,
  };
}

/** They reverse the letters that follow, so that a program is shown with the extension of a text (U+202D, U+202E). */
const DIRECTION_OVERRIDE = /[\u202d\u202e]/;

/** @throws FILE_INVALID_UPLOAD with the error of the name */
export function assertFileName(name: string): void {
  if (/\p{Cc}/u.test(name)) throw new PlatformError('FILE_INVALID_UPLOAD', 'The file name holds control characters');
  if (DIRECTION_OVERRIDE.test(name))
    throw new PlatformError(
      'FILE_INVALID_UPLOAD',
      'The file name holds characters that override the direction of text',
    );
  if (name.length > LONGEST_NAME)
    throw new PlatformError('FILE_INVALID_UPLOAD', `The file name is longer than ${LONGEST_NAME} characters`);
}
