import type { Client, ConditionGroup } from '@lintel/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listsKey } from '../entities/keys.ts';
import { useClient, useModelOrNone } from '../model/lintel-provider.ts';
import type { EntityName } from '../register.ts';
import { conditionsOfWords, searchNamesOf } from './search-names.ts';

/** An instance that a lookup has found. */
export interface FoundInstance {
  /** The value of a reference to it. */
  readonly id: unknown;
  /** The text to show; missing if the entity has no instance name. */
  readonly _instanceName?: string;
}

/** How a lookup searches. */
export interface LookupOptions {
  /** Number of instances; 20 by default. */
  readonly limit?: number | undefined;
  /** How long the words stay the same before they are searched, in milliseconds; 200 by default. */
  readonly waitMs?: number | undefined;
  /** Whether it is read now, for example while its list is open; true by default. */
  readonly enabled?: boolean | undefined;
  /** Finds only instances that it selects, too. */
  readonly filter?: ConditionGroup | undefined;
}

/** What a lookup has found. */
export interface Lookup {
  /** Empty until the first search is over; those of the search before while the next one is in progress. */
  readonly found: readonly FoundInstance[];
  /** Whether the first search is in progress. */
  readonly isLoading: boolean;
  /** Why the search failed. */
  readonly error: Error | null;
}

const NOTHING: readonly FoundInstance[] = [];

/** Finds instances whose names have all of the words, for a reference; the first ones without words. */
export function useLookup(entity: EntityName, words: string, options: LookupOptions = {}): Lookup {
  const client = useClient() as unknown as Client;
  const model = useModelOrNone();
  const { limit = 20, waitMs = 200, enabled = true, filter } = options;
  const searched = useSettled(words.trim(), waitMs);
  const names = useQuery({
    queryKey: ['search-names', entity],
    queryFn: () => (model === undefined ? loadSearchNames(client, entity) : searchNamesOf(model, entity)),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error, isLoading } = useQuery({
    queryKey: [...listsKey(entity), 'lookup', searched, limit, filter],
    queryFn: ({ signal }) => {
      const ofWords = conditionsOfWords(searched, names.data ?? []);
      const conditions = [...(filter?.conditions ?? []), ...ofWords];
      return client.list(entity, { fetchPlan: '_instance_name', filter: { conditions }, limit, signal });
    },
    enabled: enabled && names.data !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    found: (data as readonly FoundInstance[] | undefined) ?? NOTHING,
    isLoading: names.isLoading || isLoading,
    error: names.error ?? error,
  };
}

/** The texts of the name where there is no model; those of references are not searched. */
async function loadSearchNames(client: Client, entity: string): Promise<readonly string[]> {
  const { nameAttributes, properties } = await client.metadata.entity(entity, { details: true });
  const texts = new Set(
    properties
      .filter(({ attributeType, type, persistent }) => attributeType === 'DATATYPE' && type === 'string' && persistent)
      .map(({ name }) => name),
  );
  return nameAttributes.filter((name) => texts.has(name));
}

/** A value as soon as it stays the same for a while, such as the input of a user who stops typing. */
function useSettled<T>(value: T, waitMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return settled;
}
