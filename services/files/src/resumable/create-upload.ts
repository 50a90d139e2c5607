import type { IncomingHttpHeaders } from 'node:http';
import { lastingKeyOf, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Clock } from '@lintel/timing';
import { uploaderOf } from '../access/file-access.ts';
import { uploadKeyOf } from '../incoming/upload-id.ts';
import { filePathFor } from '../references/file-reference.ts';
import { storedContentType } from '../references/served-content-type.ts';
import type { FileStorages } from '../storage/settings/file-storages.ts';
import { chosenStorage } from '../uploads/chosen-storage.ts';
import { tooLarge } from '../uploads/incoming-content.ts';
import { assertFileName } from '../uploads/upload-file.ts';
import { countUnfinished } from './count-unfinished.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import { uploadLengthOf } from './tus-headers.ts';
import { parseUploadMetadata } from './upload-metadata.ts';

export interface CreationPorts {
  readonly storages: FileStorages;
  readonly maxFileSizeBytes: number;
  readonly expiryMs: number;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
}

/** Keys of the metadata, as the clients Uppy and tus-js-client send them, in order of precedence. */
const NAME_KEYS = ['filename', 'name'];
const TYPE_KEYS = ['filetype', 'type'];

/**
 * Begins an upload.
 *
 * @param countedAs the caller whose unfinished uploads are limited
 * @throws FILE_INVALID_UPLOAD for invalid headers, FILE_TOO_LARGE above the limit of the service or storage,
 *   REQ_TOO_MANY_REQUESTS for too many unfinished uploads
 */
export async function createUpload(
  headers: IncomingHttpHeaders,
  caller: Principal,
  countedAs: string,
  ports: CreationPorts,
): Promise<ResumableUpload> {
  const { storages, clock, newId } = ports;
  const length = uploadLengthOf(headers);
  const header = headers['upload-metadata'];
  const sent = header === undefined ? undefined : String(header);
  const metadata = parseUploadMetadata(sent);
  const firstOf = (keys: readonly string[]): string | undefined =>
    keys.map((key) => metadata.get(key)).find((value) => value !== undefined && value !== '');
  const name = firstOf(NAME_KEYS) ?? '';
  if (name.trim() === '')
    throw new PlatformError('FILE_INVALID_UPLOAD', 'The key "filename" of the header Upload-Metadata is required');
  assertFileName(name);
  const storage = chosenStorage(metadata.get('storageName') ?? null, storages);
  const limitBytes = Math.min(storage.maxFileSizeBytes, ports.maxFileSizeBytes);
  if (length > limitBytes) throw tooLarge(limitBytes);
  const now = clock.now();
  const key = uploadKeyOf(now + ports.expiryMs, newId());
  const described = {
    owner: lastingKeyOf(caller),
    uploadedBy: uploaderOf(caller),
    length,
    name,
    contentType: storedContentType(firstOf(TYPE_KEYS)),
    path: filePathFor(new Date(now), newId(), name),
    metadata: sent,
    countedBy: await countUnfinished(storage.store.incoming, countedAs, key),
  };
  await storage.store.incoming.createRecord(key, 'upload', JSON.stringify(described));
  return { ...described, key, storage, expiresAt: now + ports.expiryMs, parts: [], offset: 0, result: undefined };
}
