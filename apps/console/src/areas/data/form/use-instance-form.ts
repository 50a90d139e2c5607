import { ConflictError, type DetailedEntityInfo, tagOf, ValidationError } from '@lintel/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { notify } from '../../../errors/notify.ts';
import { useExtension } from '../../../extension/use-extension.ts';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { changeOf, hasChanged, newValuesOf } from './draft/changes.ts';
import { checkDraft, type FieldsOf } from './draft/check-draft.ts';
import { defaultsOf } from './draft/defaults.ts';
import { type Values, withValueAt } from './draft/values.ts';
import { messagesByPath } from './draft/violation-paths.ts';
import { focusFirstMistake } from './focus-first-mistake.ts';
import { formAttributesOf } from './form-attributes.ts';
import type { FormContextValue } from './form-context.ts';
import type { FormPlan } from './form-plan.ts';
import { useKeptInput } from './keeping/use-kept-input.ts';

/** What is stored, with its tag. */
export interface Base {
  readonly values: Values;
  /** Undefined where the entity has no version. */
  readonly tag: string | undefined;
}

/** What a form shows. */
export interface FormOptions {
  readonly entity: DetailedEntityInfo;
  /** Undefined: a new instance. */
  readonly id: string | undefined;
  readonly plan: FormPlan;
  readonly stored: Base;
  /** Called with the id of a new instance. */
  readonly onCreated: (id: unknown) => Promise<void>;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The state of a form: what is stored, what was entered, what is wrong with it, and how it is saved. */
export function useInstanceForm({ entity, id, plan, stored, onCreated }: FormOptions) {
  const { entityName } = entity;
  const text = useText();
  const { client, entities, rights } = useModel();
  const { parts: extension } = useExtension();
  const queries = useQueryClient();
  const isNew = id === undefined;
  const [base, setBase] = useState<Base>(() => (isNew ? { values: defaultsOf(entity), tag: undefined } : stored));
  const [draft, setDraft] = useState<Values>(base.values);
  const [messages, setMessages] = useState(NOTHING);
  const [syntax, setSyntax] = useState(NOTHING);
  const [failure, setFailure] = useState<unknown>();
  const [theirs, setTheirs] = useState<Base>();
  const [isSaving, setSaving] = useState(false);
  const kept = useKeptInput(entityName, id);
  const isDirty = useMemo(
    () => draft !== base.values && hasChanged(entities, entityName, base.values, draft),
    [entities, entityName, base, draft],
  );
  const { keep, forget } = kept;
  const wasDirty = useRef(false);
  useEffect(() => {
    if (isDirty) keep({ base: base.values, tag: base.tag, draft });
    // What was offered stays until something else is entered.
    else if (wasDirty.current) forget();
    wasDirty.current = isDirty;
  }, [isDirty, keep, forget, base, draft]);

  const change = useCallback((path: string, value: unknown) => {
    setDraft((before) => withValueAt(before, path, value));
    setMessages((before) => without(before, path));
  }, []);
  const keepStored = useCallback((path: string, value: unknown) => {
    setBase((before) => ({ ...before, values: withValueAt(before.values, path, value) }));
    setDraft((before) => withValueAt(before, path, value));
  }, []);
  const report = useCallback((path: string, message: string | undefined) => {
    setSyntax((before) => (message === undefined ? without(before, path) : new Map([...before, [path, message]])));
  }, []);
  const context = useMemo<FormContextValue>(
    () => ({
      messages: syntax.size === 0 ? messages : new Map([...messages, ...syntax]),
      change,
      keepStored,
      report,
      extension,
      id,
    }),
    [messages, syntax, change, keepStored, report, extension, id],
  );

  /** @returns whether the draft may be sent */
  function check(): boolean {
    const fieldsOf: FieldsOf = (name, ofNew) => {
      const found = entities.get(name);
      return found === undefined ? [] : formAttributesOf(found, rights, ofNew);
    };
    const mistakes = new Map([
      ...checkDraft({ schema: entities, fieldsOf, text }, entityName, draft, isNew),
      ...syntax,
    ]);
    setMessages(mistakes);
    if (mistakes.size > 0) focusFirstMistake();
    return mistakes.size === 0;
  }

  async function loadTheirs(): Promise<void> {
    if (id === undefined) return;
    const found = await client.load(entityName, id, { fetchPlan: plan, dynamicAttributes: true });
    if (found !== undefined) setTheirs({ values: found, tag: tagOf(found) });
  }

  async function write(): Promise<void> {
    if (id === undefined) {
      const created = await client.create(entityName, newValuesOf(entities, entityName, draft), {
        fetchPlan: '_instance_name',
      });
      forget();
      await onCreated(created['id']);
      return;
    }
    const { values, method } = changeOf(entities, entityName, base.values, draft);
    const options = { fetchPlan: plan, ifMatch: base.tag };
    const written =
      method === 'PATCH'
        ? await client.patch(entityName, id, values, options)
        : await client.update(entityName, id, values, options);
    setBase({ values: written, tag: tagOf(written) });
    setDraft(written);
  }

  async function save(): Promise<void> {
    if (isSaving || !check()) return;
    setSaving(true);
    setFailure(undefined);
    try {
      await write();
      void notify({ message: text('form.saved'), closeLabel: text('action.close') });
      await queries.invalidateQueries({ queryKey: ['list', entityName] });
    } catch (error) {
      if (error instanceof ConflictError && error.status === 412) await loadTheirs().catch(setFailure);
      else setFailure(error);
      if (error instanceof ValidationError) {
        setMessages(messagesByPath(draft, error.items));
        focusFirstMistake();
      }
    } finally {
      setSaving(false);
    }
  }

  return {
    base,
    draft,
    context,
    failure,
    setFailure,
    theirs,
    isDirty,
    isSaving,
    offered: isDirty ? undefined : kept.offered,
    forget,
    save,
    loadTheirs,
    discard(): void {
      setDraft(base.values);
      setMessages(NOTHING);
      setSyntax(NOTHING);
      setFailure(undefined);
    },
    restore(): void {
      if (kept.offered === undefined) return;
      setBase({ values: kept.offered.base, tag: kept.offered.tag });
      setDraft(kept.offered.draft);
      kept.close();
    },
    /** Continues with the values of the other user and what was kept of the own input. */
    continueWith(merged: Values): void {
      if (theirs === undefined) return;
      setBase(theirs);
      setDraft(merged);
      setTheirs(undefined);
      setFailure(undefined);
    },
  };
}

function without(messages: ReadonlyMap<string, string>, path: string): ReadonlyMap<string, string> {
  const others = [...messages].filter(([at]) => at !== path && !at.startsWith(`${path}/`));
  return others.length === messages.size ? messages : new Map(others);
}
