import type { IncomingHttpHeaders } from 'node:http';
import { lastingKeyOf, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Clock } from '@lintel/timing';
import { uploaderOf } from '../access/file-access.ts';
import type { IncomingStore } from '../incoming/incoming-store.ts';
import { unfinishedKeyOf, unfinishedPrefixOf, uploadKeyOf } from '../incoming/upload-id.ts';
import { filePathFor } from '../references/file-reference.ts';
import { storedContentType } from '../references/served-content-type.ts';
import type { FileStorages } from '../storage/settings/file-storages.ts';
import { chosenStorage } from '../uploads/chosen-storage.ts';
import { tooLarge } from '../uploads/incoming-content.ts';
import { assertFileName } from '../uploads/upload-file.ts';
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

/** Uploads that one user may have begun and not ended, in one storage. */
export const MAX_UNFINISHED = 100;

/**
 * Counts an upload among the unfinished ones of a caller, until it is complete, ended or expired. The record is stored
 * before the others are counted, so that simultaneous requests do not exceed the maximum together.
 *
 * @returns the key of the record
 * @throws REQ_TOO_MANY_REQUESTS
 */
async function countUnfinished(incoming: IncomingStore, caller: string, uploadKey: string): Promise<string> {
  const key = unfinishedKeyOf(caller, uploadKey);
  await incoming.createRecord(key, 'upload', '');
  if ((await incoming.ids(unfinishedPrefixOf(caller))).length <= MAX_UNFINISHED) return key;
  await incoming.remove(key);
  throw new PlatformError(
    'REQ_TOO_MANY_REQUESTS',
    `At most ${MAX_UNFINISHED} resumable uploads of a user may be unfinished: complete or delete one, or wait until it expires`,
    { headers: { 'Retry-After': '60' } },
  );
}
