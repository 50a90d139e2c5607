import { type Client, ConflictError, type Id, tagOf } from '@lintel/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { violationsOf } from '../errors/violations-of.ts';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName } from '../register.ts';
import { changedValues, compareThreeWays, type Difference, type Values } from './changed-values.ts';
import { listsKey } from './keys.ts';

/** What is edited. */
export interface EditorOptions {
  readonly entity: EntityName;
  /** Undefined: a new instance. */
  readonly id: Id | undefined;
  /** The instance as it was read; of a new one its first values. */
  readonly stored: Values;
  /** Of the stored instance, from `useInstance`: a save is refused if another version is stored by then. */
  readonly tag?: string | undefined;
  /** What is read back after a save; it must show the attributes that are edited. */
  readonly fetchPlan?: string | object | undefined;
}

/** Input for an instance, which stays until it is saved or discarded. */
export interface InstanceEditor {
  /** The stored values with the input. */
  readonly values: Values;
  /** What a save would send. */
  readonly changed: Values;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** Why the last save failed. */
  readonly error: unknown;
  /** What the service says about attributes. */
  readonly violations: ReadonlyMap<string, string>;
  /** After a save that was refused, because somebody else has changed the instance: what differs. */
  readonly conflict: readonly Difference[] | undefined;
  set(attribute: string, value: unknown): void;
  discard(): void;
  /** Returns what the service has stored; undefined if it refused, see `error` and `conflict`. */
  save(): Promise<Values | undefined>;
  /** Ends a conflict: continues with what is stored now, and the own input without the given attributes. */
  resolve(theirs: readonly string[]): void;
}

interface Base {
  readonly values: Values;
  readonly tag: string | undefined;
}

/**
 * Edits an instance: sends only what was changed, with `If-Match`, and compares three ways where somebody else was
 * faster.
 */
export function useInstanceEditor(options: EditorOptions): InstanceEditor {
  const { entity, id, stored, tag } = options;
  const fetchPlan = typeof options.fetchPlan === 'string' ? { $extends: options.fetchPlan } : options.fetchPlan;
  const client = useClient() as unknown as Client;
  const queries = useQueryClient();
  const [base, setBase] = useState<Base>({ values: stored, tag });
  const [edited, setEdited] = useState<Values>({});
  const [theirs, setTheirs] = useState<Base>();
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const changed = changedValues(base.values, edited);

  async function write(): Promise<Values> {
    if (id === undefined) return client.create(entity, changed, { fetchPlan });
    return client.update(entity, id, changed, { fetchPlan, ifMatch: base.tag });
  }

  async function loadTheirs(): Promise<void> {
    const values = await client.load(entity, id ?? '', { fetchPlan });
    if (values !== undefined) setTheirs({ values, tag: tagOf(values) });
  }

  async function save(): Promise<Values | undefined> {
    setSaving(true);
    setError(undefined);
    try {
      const written = await write();
      setBase({ values: id === undefined ? { ...base.values, ...written } : written, tag: tagOf(written) });
      setEdited({});
      await queries.invalidateQueries({ queryKey: listsKey(entity) });
      return written;
    } catch (failure) {
      setError(failure);
      if (id !== undefined && failure instanceof ConflictError && failure.status === 412)
        await loadTheirs().catch(setError);
      return undefined;
    } finally {
      setSaving(false);
    }
  }

  return {
    values: { ...base.values, ...edited },
    changed,
    isDirty: Object.keys(changed).length > 0,
    isSaving,
    error,
    violations: violationsOf(error),
    conflict:
      theirs && compareThreeWays(base.values, edited, theirs.values, Object.keys({ ...base.values, ...theirs.values })),
    set: (attribute, value) => setEdited((before) => ({ ...before, [attribute]: value })),
    discard: () => setEdited({}),
    save,
    resolve(names) {
      if (theirs === undefined) return;
      setBase(theirs);
      setEdited((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))));
      setTheirs(undefined);
      setError(undefined);
    },
  };
}
