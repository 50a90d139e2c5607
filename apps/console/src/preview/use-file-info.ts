import { NotFoundError } from '@lintel/client';
import { useQuery } from '@tanstack/react-query';
import { useModel } from '../context.ts';

/** What the server says about a file. */
export interface FileInfo {
  /** In bytes; undefined if the response does not have it. */
  readonly size: number | undefined;
  readonly contentType: string;
}

/** The size and the type of a file; null if there is no such file. It needs the right to download. */
export function useFileInfo(fileRef: string) {
  const { client, connection, rights } = useModel();
  return useQuery({
    queryKey: ['file-info', fileRef],
    queryFn: async ({ signal }): Promise<FileInfo | null> => {
      const path = client.files.url(fileRef).slice(connection.baseUrl.length);
      try {
        const { headers } = await connection.read({ method: 'HEAD', path, repeatable: true, signal });
        const length = headers.get('content-length');
        return { size: length === null ? undefined : Number(length), contentType: headers.get('content-type') ?? '' };
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
    enabled: rights.has('rest.fileDownload.enabled'),
    staleTime: 60_000,
  });
}
