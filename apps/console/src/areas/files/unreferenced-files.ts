import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useModel } from '../../context.ts';
import { endpointOf } from '../../model/api.ts';
import { batchesOf } from './batches-of.ts';

/** Who may see and remove files that nothing refers to. */
export const MANAGE_FILES = 'files.manage';

/** A file that nothing refers to. */
export interface UnreferencedFile {
  readonly fileRef: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: string;
}

interface Part {
  readonly files: readonly UnreferencedFile[];
  readonly cursor: string | null;
}

interface FileRemoval {
  readonly fileRef: string;
  readonly result: 'removed' | 'referenced' | 'recent' | 'unknown';
}

const KEY = ['unreferenced-files'];
const LISTED_AT_ONCE = 50;

/** Files that nothing refers to, part by part. */
export function useUnreferencedFiles() {
  const model = useModel();
  const { connection } = model;
  const path = `${endpointOf(model, 'operations')}/unreferenced-files`;
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: KEY,
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({
        limit: String(LISTED_AT_ONCE),
        ...(pageParam !== '' && { cursor: pageParam }),
      });
      const call = { method: 'GET', path: `${path}?${query}`, repeatable: true, signal };
      return (await connection.read(call)).body as Part;
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
  const remove = useMutation({
    mutationFn: async (fileRefs: readonly string[]): Promise<readonly FileRemoval[]> => {
      const results: FileRemoval[] = [];
      for (const some of batchesOf(fileRefs)) {
        const call = { method: 'POST', path: `${path}/remove`, repeatable: true, json: { fileRefs: some } };
        results.push(...((await connection.read(call)).body as readonly FileRemoval[]));
      }
      return results;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return { list, remove };
}
