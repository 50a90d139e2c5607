import { type FileReference, parseFileReference } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { FileStorage, FileStorages } from '../storage/settings/file-storages.ts';

/**
 * `yyyy/MM/dd/<name>`: the form of all paths, so that all storages refuse the same ones (contract/files.md#download).
 */
const PATH_PARTS = 4;

/** A reference and the storage that it names. */
export interface LocatedFile {
  readonly reference: FileReference;
  readonly storage: FileStorage;
}

/**
 * Finds the storage of a reference, without a check that the file exists.
 *
 * @param text the query parameter `fileRef`, decoded once; a blank in its query is a `+` that was sent without being
 *   encoded (contract/decisions.md#80)
 * @throws REQ_INVALID_PARAMETER if there is none, FILE_INVALID_REFERENCE if it is not valid
 */
export function locateFile(text: string | undefined, storages: FileStorages): LocatedFile {
  if (text === undefined || text === '')
    throw new PlatformError('REQ_INVALID_PARAMETER', 'The query parameter "fileRef" is required');
  const reference = parseFileReference(text.replace(/\?.*/, (query) => query.replaceAll(' ', '+')));
  if (reference === undefined) throw unreadable(text);
  const storage = storages.find(reference.storage);
  if (storage === undefined)
    throw new PlatformError('FILE_INVALID_REFERENCE', `Cannot find FileStorage with name: '${reference.storage}'`);
  if (reference.path.split('/').length < PATH_PARTS) throw unreadable(text);
  return { reference, storage };
}

const unreadable = (text: string): PlatformError =>
  new PlatformError('FILE_INVALID_REFERENCE', `Cannot convert '${text}' into valid file reference`);
