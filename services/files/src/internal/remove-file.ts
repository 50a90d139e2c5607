import { PlatformError } from '@lintel/errors';
import { locateFile } from '../references/locate-file.ts';
import type { FileStorages } from '../storage/file-storages.ts';

/**
 * Removes a file that a service stored; a file that does not exist is not an error.
 *
 * @param service the calling service; undefined if any service may have stored the file
 * @throws FILE_REMOVAL_DENIED for files of users and of other services
 */
export async function removeFile(
  fileRef: string | undefined,
  service: string | undefined,
  storages: FileStorages,
): Promise<void> {
  const { reference, storage } = locateFile(fileRef, storages);
  const blob = await storage.store.find(reference.path);
  if (blob === undefined) return;
  if (blob.storedBy === undefined || (service !== undefined && blob.storedBy !== service))
    throw new PlatformError('FILE_REMOVAL_DENIED', 'Only the service that stored a file may remove it');
  await storage.store.remove(reference.path);
}
