import type { ChangeOptions, Client, Id, UndoneInstance } from '@lintel/client';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName } from '../register.ts';

/** A write that may be taken back later: what it was for, and the `trace` that it was sent with. */
export interface TracedWrite {
  readonly entity: EntityName;
  readonly ids: readonly Id[];
  readonly trace: string;
}

/** A state that an instance had, or some attributes of it. */
export interface FormerState {
  readonly time: string;
  readonly attributes?: readonly string[] | undefined;
  /** As of an update. */
  readonly ifMatch?: object | string | undefined;
}

/** Writes that bring a former state back. Lists, instances and histories that are shown are read again. */
export interface HistoryWrites {
  /** Takes back everything that a transaction has written. */
  undo(change: string, options?: ChangeOptions): Promise<readonly UndoneInstance[]>;
  /**
   * Takes writes back, the last one first. Writes that have changed nothing recorded are left out.
   *
   * @returns the instances that were changed
   */
  undoWrites(writes: readonly TracedWrite[], options?: ChangeOptions): Promise<readonly UndoneInstance[]>;
  /** Writes a former state again. */
  restoreState(entity: EntityName, id: Id, state: FormerState, options?: ChangeOptions): Promise<void>;
  /** Brings soft-deleted instances back, one after the other. */
  restoreDeleted(entity: EntityName, ids: readonly Id[], options?: ChangeOptions): Promise<void>;
  /** Removes soft-deleted instances for good, all or none. */
  purge(entity: EntityName, ids: readonly Id[], options?: ChangeOptions): Promise<void>;
}

/** Changes of an instance that are searched for the one of a write. */
const RECENT = 20;
const TRACE_BYTES = 16;

/** A new trace id for a write, by which {@link HistoryWrites.undoWrites} finds what it has changed. */
export const createTrace = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(TRACE_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** The writes that bring a former state back. */
export function useHistoryWrites(): HistoryWrites {
  const client = useClient() as unknown as Client;
  const queries = useQueryClient();
  return useMemo(() => {
    async function thenRead<T>(work: Promise<T>): Promise<T> {
      try {
        return await work;
      } finally {
        // What failed in the middle has changed something, too.
        await Promise.all(
          ['list', 'instance', 'history'].map((kind) => queries.invalidateQueries({ queryKey: [kind] })),
        );
      }
    }
    async function undoAll(writes: readonly TracedWrite[], options?: ChangeOptions): Promise<UndoneInstance[]> {
      const undone: UndoneInstance[] = [];
      for (const write of writes.toReversed()) {
        const change = await changeOf(client, write);
        if (change !== undefined) undone.push(...(await client.history().undo(change, options)));
      }
      return undone;
    }
    async function restoreAll(entity: EntityName, ids: readonly Id[], options?: ChangeOptions): Promise<void> {
      for (const id of ids) await client.restore(entity, id, { ...options, fetchPlan: '_instance_name' });
    }
    return {
      undo: (change, options) => thenRead(client.history().undo(change, options)),
      undoWrites: (writes, options) => thenRead(undoAll(writes, options)),
      restoreState: async (entity, id, { time, ...state }, options) => {
        await thenRead(client.history(entity, id).restore(time, { ...options, ...state }));
      },
      restoreDeleted: (entity, ids, options) => thenRead(restoreAll(entity, ids, options)),
      purge: (entity, ids, options) => thenRead(client.removeMany(entity, ids, { ...options, deleted: 'only' })),
    };
  }, [client, queries]);
}

/** The change of a write: an instance that the write has left as it was does not have it. */
async function changeOf(client: Client, { entity, ids, trace }: TracedWrite): Promise<string | undefined> {
  for (const id of ids) {
    const { items } = await client.history(entity, id).page({ limit: RECENT });
    const found = items.find((change) => change.trace === trace);
    if (found !== undefined) return found.change;
  }
  return undefined;
}
