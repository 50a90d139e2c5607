import { PlatformError } from '@lintel/errors';
import type { FileStorage, FileStorages } from '../storage/settings/file-storages.ts';

/** The storage of that name; the default one if none is named. @throws FILE_INVALID_UPLOAD */
export function chosenStorage(name: string | null, storages: FileStorages): FileStorage {
  if (name === null || name === '') return storages.default;
  const storage = storages.find(name);
  if (storage === undefined)
    throw new PlatformError('FILE_INVALID_UPLOAD', `Cannot find FileStorage with name: '${name}'`);
  return storage;
}
