import { type ChangeOptions, type Client, ConflictError, type Id, tagOf, ValidationError } from '@lintel/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useChanges } from '../changes/use-changes.ts';
import { changeOf, hasChanged, newValuesOf } from '../draft/changes.ts';
import { compareThreeWays, type Difference } from '../draft/compare.ts';
import type { Schema } from '../draft/schema.ts';
import type { Values } from '../draft/values.ts';
import { messagesByPath } from '../draft/violation-paths.ts';
import { useClient, useModelOrNone } from '../model/lintel-provider.ts';
import type { EntityName } from '../register.ts';
import { idSegment, listsKey } from './keys.ts';
import { type StoredInstance, useDraft } from './use-draft.ts';

/** What is edited. */
export interface EditorOptions {
  /** Name of the entity. */
  readonly entity: EntityName;
  /** Undefined: a new instance. */
  readonly id?: Id | undefined;
  /**
   * The instance as it was read; of a new one its first values, none by default. When it was read again, the editor
   * continues with the new values; input that is not saved stays, and `isChangedElsewhere` is true.
   */
  readonly stored?: Values | undefined;
  /** Of the stored instance, from `useInstance`: a save is refused if another version is stored by then. */
  readonly tag?: string | undefined;
  /** What is read back after a save; it must show the attributes that are edited. */
  readonly fetchPlan?: string | object | undefined;
  /** Whether attributes that administrators have defined are compared with those of others; false by default. */
  readonly dynamicAttributes?: boolean | undefined;
  /** Whether the feed of changes is followed, for `isChangedElsewhere`; false by default. */
  readonly isLive?: boolean | undefined;
  /** Called if the user may not have the feed. */
  readonly onFeedError?: ((error: unknown) => void) | undefined;
}

/** Input for an instance, which stays until it is saved or discarded. */
export interface InstanceEditor {
  /** What the input began with. */
  readonly stored: StoredInstance;
  /** The stored values with the input. */
  readonly values: Values;
  /** What a save would send. */
  readonly changed: Values;
  /** Whether there is input that is not saved. */
  readonly isDirty: boolean;
  /** Whether a save is in progress. */
  readonly isSaving: boolean;
  /** Why the last save failed. */
  readonly error: unknown;
  /** What the service says about values, by their paths; about the whole instance it has the path "". */
  readonly violations: ReadonlyMap<string, string>;
  /** After a save that was refused, or after `compare`, because somebody else has changed the instance: what differs. */
  readonly conflict: readonly Difference[] | undefined;
  /**
   * Somebody else, or another page of the user, has changed or deleted it since: the feed says so, with `isLive`, or
   * `stored` and `tag` have become another version.
   */
  readonly isChangedElsewhere: boolean;
  /** @param path name of an attribute, or a path with `joinPath` into embedded objects and children of compositions */
  set(path: string, value: unknown): void;
  /** Adds a value that is stored, and that was not read with the others. */
  addStored(path: string, value: unknown): void;
  /** Removes the input: the values are the stored ones again. */
  discard(): void;
  /** Continues with input that was kept before, and what it began with. */
  restore(stored: StoredInstance, values: Values): void;
  /** Returns what the service has stored; undefined if it refused, see `error` and `conflict`. */
  save(options?: Pick<ChangeOptions, 'reason' | 'trace'>): Promise<Values | undefined>;
  /** Reads what is stored now, for `conflict`. */
  compare(): Promise<void>;
  /** Ends a conflict: continues with what is stored now, and the own input without that at the given paths. */
  resolve(theirs: readonly string[]): void;
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Edits an instance: sends only what was changed, with `If-Match`, and compares three ways where somebody else was
 * faster. With a model in the `LintelProvider`, children of compositions are written and compared one by one, at any
 * depth.
 */
export function useInstanceEditor(options: EditorOptions): InstanceEditor {
  const { entity, id, isLive = false, onFeedError, dynamicAttributes } = options;
  const fetchPlan = typeof options.fetchPlan === 'string' ? { $extends: options.fetchPlan } : options.fetchPlan;
  const client = useClient() as unknown as Client;
  const schema: Schema = useModelOrNone()?.entities ?? NONE;
  const queries = useQueryClient();
  const draft = useDraft({ values: options.stored ?? {}, tag: options.tag });
  const { stored, values, violations } = draft;
  const [theirs, setTheirs] = useState<StoredInstance>();
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const [isChangedElsewhere, setChangedElsewhere] = useChangedElsewhere(entity, id, isLive, onFeedError);
  const isBusy = useRef(false);
  const isDirty = useMemo(
    () => values !== stored.values && hasChanged(schema, entity, stored.values, values),
    [schema, entity, stored, values],
  );
  const change = () =>
    id === undefined
      ? { values: newValuesOf(schema, entity, values), method: 'POST' as const }
      : changeOf(schema, entity, stored.values, values);

  function begin(from: StoredInstance, input: Values): void {
    draft.begin(from, input);
    setTheirs(undefined);
    setError(undefined);
    setChangedElsewhere(false);
  }

  const read = useRef(versionOf(options));
  useEffect(() => {
    const version = versionOf(options);
    // What is read during a save is compared with what it has stored, when it ends.
    if (version === read.current || isBusy.current) return;
    read.current = version;
    if (id === undefined || version === versionOf({ stored: stored.values, tag: stored.tag })) return;
    if (isDirty) setChangedElsewhere(true);
    else begin({ values: options.stored ?? {}, tag: options.tag }, options.stored ?? {});
  });

  /** The tag of what was read: without a version the service compares that of `_local` (contract/decisions.md#54). */
  async function expectedTag(of: Id): Promise<string | undefined> {
    if (stored.tag === undefined || !/^(?:W\/)?"-\./.test(stored.tag)) return stored.tag;
    const local = await client.load(entity, of, { fetchPlan: '_local' });
    // Read after it: what changes later changes the other tag.
    const found = await client.load(entity, of, { fetchPlan, dynamicAttributes });
    return local !== undefined && found !== undefined && tagOf(found) === stored.tag ? tagOf(local) : stored.tag;
  }

  async function write({ reason, trace }: Parameters<InstanceEditor['save']>[0] = {}): Promise<Values> {
    const { values: sent, method } = change();
    if (id === undefined) return client.create(entity, sent, { fetchPlan, reason, trace });
    const expected = { fetchPlan, reason, trace, ifMatch: await expectedTag(id) };
    return method === 'PUT' ? client.update(entity, id, sent, expected) : client.patch(entity, id, sent, expected);
  }

  async function compare(): Promise<void> {
    if (id === undefined) return;
    try {
      const found = await client.load(entity, id, { fetchPlan, dynamicAttributes });
      if (found !== undefined) setTheirs({ values: found, tag: tagOf(found) });
    } catch (failure) {
      setError(failure);
    }
  }

  async function save(options?: Parameters<InstanceEditor['save']>[0]): Promise<Values | undefined> {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    setSaving(true);
    setError(undefined);
    draft.clearViolations();
    try {
      const written = await write(options);
      const next = id === undefined ? { ...values, ...written } : written;
      begin({ values: next, tag: tagOf(written) }, next);
      await queries.invalidateQueries({ queryKey: listsKey(entity) });
      return written;
    } catch (failure) {
      setError(failure);
      if (failure instanceof ValidationError) draft.setViolations(messagesByPath(values, failure.items));
      if (failure instanceof ConflictError && failure.status === 412) await compare();
      return undefined;
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }

  const compared = (taken: readonly string[]) =>
    theirs &&
    compareThreeWays(schema, entity, { base: stored.values, mine: values, theirs: theirs.values }, new Set(taken));
  return {
    stored,
    values,
    get changed() {
      return change().values;
    },
    isDirty,
    isSaving,
    error,
    violations,
    get conflict() {
      return compared([])?.differences;
    },
    isChangedElsewhere,
    set: draft.set,
    addStored: draft.addStored,
    discard() {
      draft.begin(stored, stored.values);
      draft.clearViolations();
      setError(undefined);
    },
    restore: begin,
    save,
    compare,
    resolve(paths) {
      const merged = compared(paths)?.merged;
      if (theirs !== undefined && merged !== undefined) begin(theirs, merged);
    },
  };
}

/** Equal for two reads of the same version; values stand for themselves where the entity has no versions. */
const versionOf = ({ stored, tag }: Pick<EditorOptions, 'stored' | 'tag'>): string =>
  tag ?? JSON.stringify(stored ?? {});

/**
 * Returns whether an instance was changed or deleted elsewhere, and a function that sets it: to true after a read that
 * found another version, to false when the input begins with the stored values again.
 */
function useChangedElsewhere(
  entity: EntityName,
  id: Id | undefined,
  isLive: boolean,
  onFeedError: ((error: unknown) => void) | undefined,
): readonly [isChanged: boolean, setChanged: (isChanged: boolean) => void] {
  const [isChanged, setChanged] = useState(false);
  useChanges(
    entity,
    (event) => {
      // After a reset it is unknown whether something was missed; a save would say it.
      if (event.change !== 'reset' && !event.isOwn && idSegment(event.id) === idSegment(id)) setChanged(true);
    },
    { enabled: isLive && id !== undefined, onError: onFeedError },
  );
  return [isChanged, setChanged];
}
