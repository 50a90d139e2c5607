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

/**
 * Embeddings, overrides and isolates (U+202A–U+202E, U+2066–U+2069): with them a program is shown with the extension of
 * a text. Marks of the direction (U+200E, U+200F) stay: names in Hebrew and Arabic need them.
 */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

/** @throws FILE_INVALID_UPLOAD with the error of the name */
export function assertFileName(name: string): void {
  if (/\p{Cc}/u.test(name)) throw new PlatformError('FILE_INVALID_UPLOAD', 'The file name holds control characters');
  if (DIRECTION.test(name))
    throw new PlatformError('FILE_INVALID_UPLOAD', 'The file name holds characters that change the direction of text');
  if (name.length > LONGEST_NAME)
    throw new PlatformError('FILE_INVALID_UPLOAD', `The file name is longer than ${LONGEST_NAME} characters`);
}
