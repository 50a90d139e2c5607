import { queryOptions } from '@tanstack/react-query';

/** Loads an extension, once. */
export const extensionQuery = (extension: string) =>
  queryOptions({
    queryKey: ['extension'],
    queryFn: async () => (await import('./loading/load-extension.ts')).loadExtension(extension),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
