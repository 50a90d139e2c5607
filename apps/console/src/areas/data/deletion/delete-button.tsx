import { rehearse } from '@lintel/client';
import { idSegment } from '@lintel/react';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useModel, useText } from '../../../context.ts';
import { useUndoableWrites } from '../undo/use-undoable-writes.ts';

const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));

interface DeleteProps {
  readonly entityName: string;
  readonly id: string;
  /** As the API has it: an id of several attributes is an object. */
  readonly storedId: unknown;
  readonly name: string;
  readonly tag: string | undefined;
  /** Called before the page is left. */
  readonly onDeleted: () => void;
}

/** Deletes the instance when the user has confirmed what goes along, and shows the list. */
export function DeleteButton({ entityName, id, storedId, name, tag, onDeleted }: DeleteProps) {
  const text = useText();
  const { client } = useModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const undoable = useUndoableWrites(entityName);

  async function remove(): Promise<void> {
    const writes = undoable('delete');
    await writes.during([id], (trace) => client.remove(entityName, id, { ifMatch: tag, trace }));
    onDeleted();
    queries.removeQueries({ queryKey: ['instance', entityName, id] });
    await queries.invalidateQueries({ queryKey: ['list', entityName] });
    await navigate({ to: `/data/${entityName}` });
    writes.notice(text('delete.done', { name }));
  }

  return (
    <>
      <Button size="sm" onClick={open}>
        {text('delete.label')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <DeleteDialog
            entity={entityName}
            question={text('delete.question', { name })}
            confirm={text('delete.label')}
            subject={[id, tag]}
            preview={() => rehearse(client, (dry) => dry.remove(entityName, id, { ifMatch: tag }))}
            isChosen={(changed) => idSegment(changed) === id}
            refusedId={storedId}
            onConfirm={remove}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
