import { type Client, type Id, type ReadOptions, type Shown, tagOf } from '@lintel/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName, RegisteredApi } from '../register.ts';
import { instanceKey } from './keys.ts';

/** An instance as it was read. */
export interface ReadInstance<T> {
  /** Undefined while it is read, and if it does not exist for the caller. */
  readonly instance: T | undefined;
  /** Its version for a write; undefined where the entity has none. */
  readonly tag: string | undefined;
  /** Whether the service has no such instance for the caller. */
  readonly isMissing: boolean;
  /** Whether it is read for the first time. */
  readonly isLoading: boolean;
  /** Why it could not be read. */
  readonly error: Error | null;
  /** When it was read, in milliseconds: a form with this key begins anew with each read. */
  readonly readAt: number;
  /** Reads it again. */
  reload(): void;
}

/** What `useInstance` reads. */
export interface InstanceOptions<E extends EntityName, P> extends Omit<ReadOptions<RegisteredApi, E, P>, 'signal'> {
  /** Whether it is read now; true by default. */
  readonly enabled?: boolean | undefined;
}

/** Reads one instance, with the version that a save compares. Without an id nothing is read. */
export function useInstance<E extends EntityName, const P = undefined>(
  entity: E,
  id: Id | undefined,
  options: InstanceOptions<E, P> = {},
): ReadInstance<Shown<RegisteredApi, E, P>> {
  const client = useClient() as unknown as Client;
  const { enabled = true, ...read } = options as InstanceOptions<EntityName, undefined>;
  const { data, dataUpdatedAt, error, isLoading, refetch } = useQuery({
    queryKey: [...instanceKey(entity, id ?? ''), read],
    queryFn: async ({ signal }) => {
      const instance = await client.load(entity, id ?? '', { ...read, signal });
      return { instance, tag: instance === undefined ? undefined : tagOf(instance) };
    },
    enabled: enabled && id !== undefined,
    // What is edited must be current, and each read a value of its own, with which an editor compares.
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    // Nothing that is edited is read again without a reason.
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  return {
    instance: data?.instance as Shown<RegisteredApi, E, P> | undefined,
    tag: data?.tag,
    isMissing: data !== undefined && data.instance === undefined,
    isLoading,
    error,
    readAt: dataUpdatedAt,
    reload: () => void refetch(),
  };
}
