import type { Client } from '@lintel/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName } from '../register.ts';
import { listsKey } from './keys.ts';

/** An instance that a lookup has found. */
export interface FoundInstance {
  readonly id: unknown;
  readonly _instanceName?: string;
}

/** How a lookup searches. */
export interface LookupOptions {
  /** Number of instances; 20 by default. */
  readonly limit?: number | undefined;
  /** Whether it is read now, for example while its list is open; true by default. */
  readonly enabled?: boolean | undefined;
}

/** What a lookup has found. */
export interface Lookup {
  readonly found: readonly FoundInstance[];
  readonly isLoading: boolean;
  readonly error: Error | null;
}

/** Finds instances by words of their names, for a reference. The caller waits until the user stops typing. */
export function useLookup(entity: EntityName, words: string, options: LookupOptions = {}): Lookup {
  const client = useClient() as unknown as Client;
  const { limit = 20, enabled = true } = options;
  const names = useQuery({
    queryKey: ['instance-name', entity],
    queryFn: () => searchedAttributes(client, entity),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error, isLoading } = useQuery({
    queryKey: [...listsKey(entity), 'lookup', words, limit],
    queryFn: ({ signal }) => client.list(entity, { ...lookupOf(names.data ?? [], words), limit, signal }),
    enabled: enabled && names.data !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    found: (data ?? []) as readonly FoundInstance[],
    isLoading: names.isLoading || isLoading,
    error: names.error ?? error,
  };
}

/** The texts that the name of an instance consists of. */
async function searchedAttributes(client: Client, entity: string): Promise<readonly string[]> {
  const [plan, { properties }] = await Promise.all([
    client.metadata.fetchPlan(entity, '_instance_name'),
    client.metadata.entity(entity),
  ]);
  const texts = new Set(
    properties
      .filter(({ attributeType, type, persistent }) => attributeType === 'DATATYPE' && type === 'string' && persistent)
      .map(({ name }) => name),
  );
  return plan.properties.filter((each) => typeof each === 'string').filter((name) => texts.has(name));
}

/** The search for words in any of the attributes. */
export const lookupOf = (attributes: readonly string[], words: string) => ({
  fetchPlan: '_instance_name' as const,
  ...(words !== '' &&
    attributes.length > 0 && {
      filter: {
        group: 'AND' as const,
        conditions: [
          {
            group: 'OR' as const,
            conditions: attributes.map((property) => ({ property, operator: 'contains', value: words })),
          },
        ],
      },
    }),
});
