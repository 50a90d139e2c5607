import type { DetailedEntityInfo } from '@lintel/client';
import { defaultsOf, type StoredInstance, useInstanceEditor, useLogin, type Values, withoutPath } from '@lintel/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { sentencesOf } from '../../../errors/parameter-of-error.ts';
import { reportNoFeed } from '../../../errors/report-no-feed.ts';
import { useExtension } from '../../../extension/use-extension.ts';
import { useUndoableWrites } from '../undo/use-undoable-writes.ts';
import { formAttributesOf } from './attributes/form-attributes.ts';
import type { FormPlan } from './attributes/form-plan.ts';
import { checkDraft, type FieldsOf } from './checking/check-draft.ts';
import type { FormContextValue, InnerForm } from './form-context.ts';

/** Input that was not saved, with what it began with. */
interface KeptInput {
  readonly base: Values;
  readonly tag: string | undefined;
  readonly draft: Values;
  /** In milliseconds. */
  readonly at: number;
}

/**
 * Keeps the input of a form in this tab until it is saved or discarded: also while other pages are shown, and when the
 * page is loaded again. A logout removes it.
 *
 * @param id undefined for a new instance
 * @param isKept whether it is kept at all: that of a form above another one is not
 */
function useKeptInput(entity: string, id: string | undefined, isKept: boolean) {
  const { user } = useModel();
  const { inputs } = useLogin();
  const key = JSON.stringify([user.username, entity, id ?? null]);
  const [offered, setOffered] = useState(() => (isKept ? read(inputs.getItem(key)) : undefined));
  const keep = useCallback(
    (input: Omit<KeptInput, 'at'>) => {
      if (isKept) inputs.setItem(key, JSON.stringify({ ...input, at: Date.now() }));
    },
    [inputs, key, isKept],
  );
  const forget = useCallback(() => {
    if (isKept) inputs.removeItem(key);
    setOffered(undefined);
  }, [inputs, key, isKept]);
  // That of another user of this tab is of no use.
  useEffect(
    () => inputs.keepOnly((other) => other.startsWith(`${JSON.stringify([user.username]).slice(0, -1)},`)),
    [inputs, user.username],
  );
  return { offered, keep, forget, close: () => setOffered(undefined) };
}

const read = (text: string | null): KeptInput | undefined =>
  text === null ? undefined : (JSON.parse(text) as KeptInput);

/** What shows a mistake: an input, or the button of a line whose form has one. */
const MISTAKE = '[aria-invalid="true"], [data-mistakes]';

/** Moves the focus to the first mistake, in the open drawer before the page, when the page shows the messages. */
function focusFirstMistake(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const dialogs = [...document.querySelectorAll('[role="dialog"]')].reverse();
      const found = [...dialogs, document]
        .map((each) => each.querySelector<HTMLElement>(MISTAKE))
        .find((each) => each !== null);
      found?.focus();
    }),
  );
}

/** What a form shows. */
export interface FormOptions {
  readonly entity: DetailedEntityInfo;
  /** Undefined: a new instance. */
  readonly id: string | undefined;
  readonly plan: FormPlan;
  /** Of a new instance the values that it begins with, besides the defaults of its entity. */
  readonly stored: StoredInstance;
  /** How many forms it is opened from: 0, unless a field of another form needs the new instance. */
  readonly depth?: number;
  /** Called with a new instance. */
  readonly onCreated: (created: Values) => Promise<void>;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The state of a form: its editor, what the page finds wrong with the input, and what is kept of it. */
export function useInstanceForm({ entity, id, plan, stored, depth = 0, onCreated }: FormOptions) {
  const { entityName } = entity;
  const text = useText();
  const { entities, rights } = useModel();
  const { parts: extension } = useExtension();
  const undoable = useUndoableWrites(entityName);
  const isNew = id === undefined;
  const [first] = useState(() => (isNew ? { ...stored, values: { ...defaultsOf(entity), ...stored.values } } : stored));
  const editor = useInstanceEditor({
    entity: entityName,
    id,
    stored: first.values,
    tag: first.tag,
    // A new instance is read by its own form.
    fetchPlan: isNew ? '_instance_name' : plan,
    dynamicAttributes: true,
    isLive: true,
    onFeedError: reportNoFeed,
  });
  const { stored: base, values: draft, isDirty, violations, set, addStored } = editor;
  const [mistakes, setMistakes] = useState(NOTHING);
  const [syntax, setSyntax] = useState(NOTHING);
  const [inner, setInner] = useState<InnerForm>();
  const kept = useKeptInput(entityName, id, depth === 0);
  const { keep, forget } = kept;
  const wasDirty = useRef(false);
  useEffect(() => {
    if (isDirty) keep({ base: base.values, tag: base.tag, draft });
    // What was offered stays until something else is entered.
    else if (wasDirty.current) forget();
    wasDirty.current = isDirty;
  }, [isDirty, keep, forget, base, draft]);

  const change = useCallback(
    (path: string, value: unknown) => {
      set(path, value);
      setMistakes((before) => withoutPath(before, path));
    },
    [set],
  );
  const report = useCallback((path: string, message: string | undefined) => {
    setSyntax((before) => (message === undefined ? withoutPath(before, path) : new Map([...before, [path, message]])));
  }, []);
  const context = useMemo<FormContextValue>(
    () => ({
      messages: new Map([...mistakes, ...sentencesOf(violations), ...syntax]),
      change,
      addStored,
      report,
      extension,
      id,
      depth,
      setInner,
    }),
    [mistakes, violations, syntax, change, addStored, report, extension, id, depth],
  );

  /** @returns whether the draft may be sent */
  function check(): boolean {
    const fieldsOf: FieldsOf = (name, ofNew) => {
      const found = entities.get(name);
      return found === undefined ? [] : formAttributesOf(found, rights, ofNew);
    };
    const found = checkDraft({ schema: entities, fieldsOf, text }, entityName, draft, isNew);
    setMistakes(found);
    return found.size === 0 && syntax.size === 0;
  }

  async function save(): Promise<void> {
    if (editor.isSaving) return;
    if (!check()) return focusFirstMistake();
    const writes = undoable('change');
    const written = await (isNew ? editor.save() : writes.during([id], (trace) => editor.save({ trace })));
    if (written === undefined) return focusFirstMistake();
    if (isNew) {
      forget();
      await onCreated(written);
    }
    writes.notice(text('form.saved'));
  }

  return {
    editor,
    context,
    inner,
    offered: isDirty ? undefined : kept.offered,
    forget,
    save,
    discard(): void {
      editor.discard();
      setMistakes(NOTHING);
      setSyntax(NOTHING);
    },
    restore(): void {
      if (kept.offered === undefined) return;
      editor.restore({ values: kept.offered.base, tag: kept.offered.tag }, kept.offered.draft);
      kept.close();
    },
  };
}
