import { PlatformError } from '@lintel/errors';
import { locateFile } from '../references/locate-file.ts';
import type { FileStorages } from '../storage/settings/file-storages.ts';

/**
 * Stands for the data service, which has examined that nothing refers to the file: it removes files of users, and none
 * of services.
 */
export const OF_USERS = Symbol('files of users');

/**
 * Removes a file; one that does not exist is not an error.
 *
 * @param remover the calling service; undefined if any service may have stored the file
 * @throws FILE_REMOVAL_DENIED for files of users and of other services, and with `OF_USERS` for those of services
 */
export async function removeFile(
  fileRef: string | undefined,
  remover: string | typeof OF_USERS | undefined,
  storages: FileStorages,
): Promise<void> {
  const { reference, storage } = locateFile(fileRef, storages);
  const blob = await storage.store.find(reference.path);
  if (blob === undefined) return;
  const isOwn = remover === undefined ? blob.storedBy !== undefined : blob.storedBy === remover;
  if (remover === OF_USERS ? blob.storedBy !== undefined : !isOwn)
    throw new PlatformError('FILE_REMOVAL_DENIED', 'Only the service that stored a file may remove it');
  await storage.store.remove(reference.path);
}
