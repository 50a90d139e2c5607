import { rehearse } from '@lintel/client';
import { useHistoryWrites } from '@lintel/react';
import { useModel, useText } from '../../../context.ts';
import { notify } from '../../../errors/notify.ts';
import { RehearsedDialog } from '../undo/rehearsed-dialog.tsx';
import { ChangeTable } from './change-table.tsx';
import { rehearsedRows } from './rehearsed-rows.ts';
import { UndoFailure } from './undo-failure.tsx';

interface UndoDialogProps {
  readonly entity: string;
  readonly id: string;
  readonly change: string;
  readonly onClose: () => void;
}

/** Takes a change back as a whole, after showing what this would change, or what has changed since. */
export function UndoDialog({ entity, id, change, onClose }: UndoDialogProps) {
  const text = useText();
  const model = useModel();
  const { undo } = useHistoryWrites();
  return (
    <RehearsedDialog
      title={text('undo.title')}
      question={text('undo.question')}
      confirm={text('undo.now')}
      subject={['undo', change]}
      preview={() => rehearse(model.client, (dry) => dry.history().undo(change))}
      show={({ changes }) => (
        <ChangeTable label={text('restore.changes')} rows={rehearsedRows(model, changes, { entity, id })} />
      )}
      showError={(error) => <UndoFailure error={error} />}
      onConfirm={async () => {
        await undo(change);
        notify({ message: text('undo.done'), closeLabel: text('action.close') });
      }}
      onClose={onClose}
    />
  );
}
