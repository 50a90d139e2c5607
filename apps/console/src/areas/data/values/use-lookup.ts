import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useModel } from '../../../model/model-provider.tsx';
import { conditionsOfWords, searchNamesOf } from '../paths/search-names.ts';

const SHOWN = 20;
const WAIT_MS = 200;

/** An instance with its name. */
export interface Found {
  readonly id: unknown;
  readonly _instanceName?: string;
}

/** Instances of an entity whose names have all of the words, the first ones without words. */
export function useLookup(entity: string, words: string, isEnabled: boolean) {
  const model = useModel();
  const { client } = model;
  const [searched] = useDebouncedValue(words.trim(), WAIT_MS);
  return useQuery({
    queryKey: ['lookup', entity, searched],
    queryFn: async ({ signal }) => {
      const conditions = conditionsOfWords(searched, searchNamesOf(model, entity));
      const found = await client.list(entity, {
        fetchPlan: '_instance_name',
        limit: SHOWN,
        signal,
        filter: { conditions },
      });
      return found as readonly unknown[] as readonly Found[];
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
}
