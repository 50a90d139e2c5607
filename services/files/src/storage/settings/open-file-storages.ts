import { ConfigurationError } from '@lintel/config';
import { isStorageName } from '@lintel/contracts';
import { type Logger, withSpan } from '@lintel/telemetry';
import type { FilesConfig } from '../../config.ts';
import type { BlobStore } from '../blob-store.ts';
import { createFolderBlobStore } from '../folder/folder-blob-store.ts';
import { createMirroredBlobStore } from '../mirrors/mirrored-blob-store.ts';
import { createFileStorages, type FileStorages } from './file-storages.ts';
import type { StorageSettings } from './storage-settings.ts';

/** Parts of all uploads together: 128 MB of the usual parts. Others wait for a free part; files up to 64 KB do not. */
const PARTS_IN_MEMORY = 16;
const STANDARD_NAME = 'fs';
const PART_BYTES = 8 * 1024 * 1024;
/** Maximum number of parts of one file in S3. */
const MAX_PARTS = 10_000;
const STANDARD_FOLDER = '.lintel/files';

/**
 * Opens the configured storages; if there are none, a folder.
 *
 * @param logger receives failed copies
 * @param standardFolder the folder that is used where no storage is configured
 * @throws ConfigurationError naming the property that is missing or wrong
 */
export async function openFileStorages(
  config: Pick<FilesConfig, 'storages' | 'defaultStorage' | 'maxFileSizeBytes'>,
  logger: Pick<Logger, 'warn'>,
  standardFolder: string = STANDARD_FOLDER,
): Promise<FileStorages> {
  const configured = Object.entries(config.storages);
  const opened = await Promise.all(
    configured.map(async ([name, storage]) => ({
      name: checkedName(name),
      store: createTracedBlobStore(await openStore(name, storage, config.maxFileSizeBytes, logger), storage.kind, name),
      maxFileSizeBytes: storage['max-file-size'] ?? Number.POSITIVE_INFINITY,
    })),
  );
  if (opened.length === 0)
    opened.push({
      name: STANDARD_NAME,
      store: createTracedBlobStore(await createFolderBlobStore(standardFolder), 'folder', STANDARD_NAME),
      maxFileSizeBytes: Number.POSITIVE_INFINITY,
    });
  try {
    return createFileStorages(opened, config.defaultStorage);
  } catch (error) {
    throw new ConfigurationError([error instanceof Error ? error.message : String(error)]);
  }
}

async function openStore(
  name: string,
  storage: StorageSettings,
  maxFileSizeBytes: number,
  logger: Pick<Logger, 'warn'>,
): Promise<BlobStore> {
  const required = (member: 'path' | 'endpoint-url' | 'access-key' | 'secret-key' | 'bucket'): string => {
    const value = storage[member];
    if (value === undefined)
      throw new ConfigurationError([
        `svc.files.storage.${name}.${member} is required for a storage of kind ${storage.kind}`,
      ]);
    return value;
  };
  if (storage.kind === 'folder') {
    const primary = await createFolderBlobStore(required('path'));
    if (storage.copies.length === 0) return primary;
    return createMirroredBlobStore(primary, await Promise.all(storage.copies.map(createFolderBlobStore)), logger);
  }
  // The client of S3 is loaded by a process that needs it only.
  const { createS3BlobStore } = await import('../s3/s3-blob-store.ts');
  return createS3BlobStore({
    endpointUrl: required('endpoint-url'),
    accessKey: required('access-key'),
    secretKey: required('secret-key'),
    bucket: required('bucket'),
    region: storage.region,
    partSizeBytes: partSizeOf(storage['max-file-size'] ?? maxFileSizeBytes),
    partsInMemory: PARTS_IN_MEMORY,
    timeoutMs: storage.timeout,
  });
}

/** Size of the parts of a file: larger where the greatest file would have too many of the usual size. */
export const partSizeOf = (maxFileSizeBytes: number): number =>
  Math.max(PART_BYTES, Math.ceil(maxFileSizeBytes / MAX_PARTS));

function checkedName(name: string): string {
  if (isStorageName(name)) return name;
  throw new ConfigurationError([
    `svc.files.storage.${name}: the name must begin with a letter and hold letters, digits, "+", "-" and "." only`,
  ]);
}

/**
 * Adds a span to each call of a store. Spans have the storage and the operation, never a key, since keys contain names
 * of files. The span of a read ends when the first bytes are available.
 */
function createTracedBlobStore(store: BlobStore, kind: 'folder' | 's3', name: string): BlobStore {
  const traced = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    withSpan(`${kind} ${operation}`, { 'lintel.storage.name': name }, work, 'client');
  return {
    ...store,
    write: (...given) => traced('write', () => store.write(...given)),
    find: (key) => traced('find', () => store.find(key)),
    read: (...given) => traced('read', () => store.read(...given)),
    list: (...given) => traced('list', () => store.list(...given)),
    remove: (key) => traced('remove', () => store.remove(key)),
  };
}
