import type { BlobStore } from '../blob-store.ts';

/** A named storage. */
export interface FileStorage {
  /** Scheme of the references to its files. */
  readonly name: string;
  readonly store: BlobStore;
  /** Maximum size of a file in bytes; infinite if only the callers have limits. */
  readonly maxFileSizeBytes: number;
}

/** The storages of this service. */
export interface FileStorages {
  /** Receives uploads without the name of a storage. */
  readonly default: FileStorage;
  find(name: string): FileStorage | undefined;
  readonly all: readonly FileStorage[];
  /** Ends the connections of all of them. */
  close(): Promise<void>;
}

/**
 * @param defaultName optional where there is only one storage
 * @throws Error naming the missing configuration
 */
export function createFileStorages(storages: readonly FileStorage[], defaultName?: string): FileStorages {
  const byName = new Map(storages.map((storage) => [storage.name, storage]));
  if (byName.size < storages.length) throw new Error('Two file storages have the same name');
  const only = storages.length === 1 ? storages[0] : undefined;
  const standard = defaultName === undefined ? only : byName.get(defaultName);
  if (standard === undefined) {
    const names = [...byName.keys()].join(', ');
    throw new Error(
      defaultName === undefined
        ? `There are several file storages (${names}): name one of them in svc.core.default-file-storage`
        : `svc.core.default-file-storage names ${defaultName}, but the file storages are: ${names}`,
    );
  }
  return {
    default: standard,
    find: (name) => byName.get(name),
    all: storages,
    close: async () => void (await Promise.all(storages.map(({ store }) => store.close()))),
  };
}
