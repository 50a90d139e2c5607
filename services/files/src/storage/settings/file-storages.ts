import type { BlobStore } from '../blob-store.ts';

/** A named storage. */
export interface FileStorage {
  /** Scheme of the references to its files. */
  readonly name: string;
  readonly store: BlobStore;
  /** Maximum size of a file in bytes; infinite if only the callers have limits. */
  readonly maxFileSizeBytes: number;
}

/**
 * @param defaultName optional where there is only one storage
 * @throws Error naming the missing configuration
 */
export function createFileStorages(storages: readonly FileStorage[], defaultName?: string) {
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
    /** Receives uploads without the name of a storage. */
    default: standard,
    find: (name: string): FileStorage | undefined => byName.get(name),
    all: storages,
    /** Ends the connections of all of them. */
    close: async (): Promise<void> => void (await Promise.all(storages.map(({ store }) => store.close()))),
  };
}

/** The storages of this service. */
export type FileStorages = ReturnType<typeof createFileStorages>;
