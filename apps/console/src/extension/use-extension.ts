import type { ExtensionParts } from '@lintel/react/console';
import { useQuery } from '@tanstack/react-query';
import { useModel } from '../context.ts';
import { extensionQuery } from './extension-query.ts';

/** The extension of the application. */
export interface LoadedExtension {
  /** Empty while it is loaded, if loading it has failed, and without one. */
  readonly parts: ExtensionParts;
  readonly isPending: boolean;
  readonly error: Error | null;
}

const NOTHING: ExtensionParts = {};

/** The extension, which is loaded with its first use; a page that only loses additions by its failure works without. */
export function useExtension(): LoadedExtension {
  const { extension = '' } = useModel().settings;
  const { data, error, isLoading } = useQuery({
    ...extensionQuery(extension),
    enabled: extension !== '',
    retryOnMount: false,
    refetchOnReconnect: false,
  });
  return { parts: data ?? NOTHING, isPending: isLoading, error };
}
