import type { FileListing, ListedFile } from '@lintel/contracts';
import { parseFileReference } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { z } from 'zod';
import { isOfReader } from '../access/file-access.ts';
import { isStorageKey } from '../storage/blob-store.ts';
import type { FileStorages } from '../storage/settings/file-storages.ts';

/** `yyyy/MM/dd/<name>`: other files are not of this service. */
const PATH_PARTS = 4;

const querySchema = z.object({
  after: z.string().max(2_000).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(500),
});

/**
 * The files of all storages, one storage after the other, for the data service, which knows what refers to them.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export async function listFiles(query: URLSearchParams, storages: FileStorages): Promise<FileListing> {
  const { success, data, error } = querySchema.safeParse(Object.fromEntries(query));
  if (!success) throw new PlatformError('REQ_INVALID_PARAMETER', z.prettifyError(error));
  const { after, limit } = data;
  const [name = '', ...path] = after?.split('/') ?? [];
  const from = after === undefined ? 0 : storages.all.findIndex((storage) => storage.name === name);
  if (from < 0) throw new PlatformError('REQ_INVALID_PARAMETER', 'after names no storage');
  for (const [at, { name: storage, store }] of storages.all.slice(from).entries()) {
    const start = at === 0 && path.length > 0 ? path.join('/') : undefined;
    const blobs = await store.list(start, limit);
    const last = blobs.at(-1);
    if (last === undefined) continue;
    const files = blobs
      .filter(({ key }) => isStorageKey(key) && key.split('/').length === PATH_PARTS)
      .map(({ key, size, lastModified }) => ({ storage, path: key, size, lastModified: lastModified.toISOString() }));
    return { files, next: `${storage}/${last.key}` };
  }
  return { files: [], next: null };
}

/** What is known of files: names, and the services that stored them. Files that do not exist are left out. */
export async function describeFiles(
  fileRefs: readonly string[],
  storages: FileStorages,
  { reader, nowMs }: { readonly reader: string | undefined; readonly nowMs: number },
): Promise<ListedFile[]> {
  const described = await Promise.all(
    fileRefs.map(async (fileRef): Promise<readonly ListedFile[]> => {
      const { storage = '', path = '' } = parseFileReference(fileRef) ?? {};
      const blob = await storages.find(storage)?.store.find(path);
      if (blob === undefined) return [];
      const { size, lastModified, name, storedBy } = blob;
      const more = {
        ...(name !== undefined && { name }),
        ...(storedBy !== undefined && { storedBy }),
        ...(reader !== undefined && { isOfReader: isOfReader(reader, blob, nowMs) }),
      };
      return [{ storage, path, size, lastModified: lastModified.toISOString(), ...more }];
    }),
  );
  return described.flat();
}
