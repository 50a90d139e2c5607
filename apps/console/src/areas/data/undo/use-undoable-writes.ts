import type { Id } from '@lintel/client';
import { createTrace, mayUse, type TracedWrite, useHistoryWrites } from '@lintel/react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { notify } from '../../../errors/notify.ts';
import { useShowError } from '../../../errors/use-show-error.ts';
import { withOneReason } from '../../../reason/ask-reason.ts';

/** Soft-deleted instances that are restored one by one. */
const MAX_RESTORED = 500;

/** Collects writes, and says afterwards that they were made, with a button that takes them back. */
export interface UndoableWrites {
  /** The trace for a write, which was made if nothing is thrown; undefined where it cannot be taken back. */
  during<T>(ids: readonly Id[], write: (trace: string | undefined) => Promise<T>): Promise<T>;
  /** Whether something was written that can be taken back. */
  isUndoable(): boolean;
  /** Shows the message; deletions of entities with a bin are restored. */
  notice(message: string): void;
}

/** Makes writes that can be taken back, where the entity has a history or a bin that the user may use. */
export function useUndoableWrites(entity: string): (kind: 'change' | 'delete') => UndoableWrites {
  const text = useText();
  const model = useModel();
  const showError = useShowError();
  const { undoWrites, restoreDeleted } = useHistoryWrites();

  async function undo(kind: 'change' | 'delete', writes: readonly TracedWrite[]): Promise<void> {
    const closeLabel = text('action.close');
    try {
      const ids = writes.flatMap((write) => write.ids);
      const isRestored = kind === 'delete' && mayUse(model, 'bin.restore', entity) && ids.length <= MAX_RESTORED;
      const undone = await withOneReason<readonly unknown[] | void>(() =>
        isRestored ? restoreDeleted(entity, ids) : undoWrites(writes),
      );
      const isNothing = undone?.length === 0;
      notify({ message: text(isNothing ? 'undo.nothing' : 'undo.done'), closeLabel });
    } catch (error) {
      const { undoConflicts, WHOLE } = await import('./undo-conflicts.ts');
      const conflicts = undoConflicts(model, error);
      if (conflicts.length === 0) return showError(error);
      const wordsOf = (parts: readonly string[]): string =>
        parts.map((part) => (WHOLE.has(part) ? text(`undo.${part}`) : part)).join(', ');
      const named = conflicts.map((each) => `${captionOf(model, each.entity)}: ${wordsOf(each.parts)}`).join('; ');
      const message = `${text('undo.conflicts')} ${named}`;
      notify({ title: text('undo.refused'), message, isError: true, closeLabel });
    }
  }

  return (kind) => {
    const writes: TracedWrite[] = [];
    const isUndoable =
      mayUse(model, 'history.read', entity) || (kind === 'delete' && mayUse(model, 'bin.restore', entity));
    return {
      async during(ids, write) {
        if (!isUndoable) return write(undefined);
        const trace = createTrace();
        const result = await write(trace);
        writes.push({ entity, ids, trace });
        return result;
      },
      isUndoable: () => writes.length > 0,
      notice(message) {
        const action = { label: text('undo.label'), run: () => void undo(kind, writes) };
        notify({
          message,
          ...(writes.length > 0 && { action }),
          closeLabel: text('action.close'),
        });
      },
    };
  };
}
