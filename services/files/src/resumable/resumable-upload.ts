import { lastingKeyOf, type Principal } from '@lintel/contracts';
import { z } from 'zod';
import { uploadGone } from '../incoming/incoming-errors.ts';
import type { StoredPart } from '../incoming/incoming-store.ts';
import { expiryOf, parseUploadId } from '../incoming/upload-id.ts';
import type { FileStorage, FileStorages } from '../storage/settings/file-storages.ts';
import type { FileReferenceObject } from '../uploads/upload-file.ts';

const describedSchema = z.object({
  owner: z.string(),
  /** As it is stored with the file. */
  uploadedBy: z.string().optional(),
  length: z.number(),
  name: z.string(),
  contentType: z.string(),
  /** Where the file will be, so that it is the same one if it is completed twice. */
  path: z.string(),
  /** `Upload-Metadata` as it was sent. */
  metadata: z.string().optional(),
  /** The key of the record that counts it while it is unfinished; earlier versions have not counted. */
  countedBy: z.string().optional(),
});
const resultSchema = z.object({ fileRef: z.string(), name: z.string(), size: z.number() });

/** What a client has announced of an upload. */
export type DescribedUpload = z.infer<typeof describedSchema>;

/** An upload as it is stored now. */
export interface ResumableUpload extends DescribedUpload {
  /** Its key in the storage. */
  readonly key: string;
  readonly storage: FileStorage;
  readonly expiresAt: number;
  readonly parts: readonly StoredPart[];
  /** Number of bytes from the first one on. */
  readonly offset: number;
  /** The file of an upload that is complete. */
  readonly result: FileReferenceObject | undefined;
}

/**
 * Loads an upload of the caller.
 *
 * @throws FILE_UPLOAD_NOT_FOUND also for uploads of others, and for expired ones
 */
export async function loadUpload(
  id: string,
  caller: Principal,
  storages: FileStorages,
  now: number,
): Promise<ResumableUpload> {
  const { key = '', storage: storageName = '' } = parseUploadId(id) ?? {};
  const storage = storages.find(storageName);
  const expiresAt = expiryOf(key) ?? 0;
  if (storage === undefined || expiresAt <= now) throw uploadGone();
  const { incoming } = storage.store;
  const described = await incoming.readRecord(key, 'upload');
  if (described === undefined) throw uploadGone();
  const upload = describedSchema.parse(JSON.parse(described));
  if (upload.owner !== lastingKeyOf(caller)) throw uploadGone();
  // In this order: parts are removed when there is a result.
  const parts = await incoming.parts(key);
  const result = await readResult(key, storage);
  const last = parts.at(-1);
  const offset = last === undefined ? 0 : last.offset + last.size;
  return { ...upload, key, storage, expiresAt, parts, offset: result === undefined ? offset : upload.length, result };
}

/** Ends the counting of an upload among the unfinished ones of its user. */
export const endCounting = async ({ storage, countedBy }: ResumableUpload): Promise<void> =>
  countedBy === undefined ? undefined : storage.store.incoming.remove(countedBy);

/** The file of an upload; undefined until it is complete. */
export async function readResult(key: string, storage: FileStorage): Promise<FileReferenceObject | undefined> {
  const text = await storage.store.incoming.readRecord(key, 'result');
  return text === undefined ? undefined : resultSchema.parse(JSON.parse(text));
}
