import type { Rehearsal } from '@lintel/client';
import { mayUse } from '@lintel/react';
import { Stack, Text } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import { RehearsedDialog } from '../undo/rehearsed-dialog.tsx';
import { AffectedRecords } from './affected-records.tsx';
import { RefusedDeletion } from './refused-deletion.tsx';

/** A deletion that was rehearsed, perhaps without some of its instances. */
export interface RehearsedDeletion extends Rehearsal {
  /** Why some of the instances will not be deleted. */
  readonly refusals?: readonly unknown[];
  /** There were too many to rehearse all of them. */
  readonly isPartial?: boolean;
}

interface DeleteDialogProps {
  readonly entity: string;
  readonly question: string;
  readonly confirm: string;
  readonly subject: readonly unknown[];
  readonly preview: () => Promise<RehearsedDeletion>;
  /** Whether the user has chosen the instance itself. */
  readonly isChosen: (id: unknown) => boolean;
  /** The instance that a refusal is about. */
  readonly refusedId?: unknown;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before a deletion, with the instances that are deleted too, and why it would be refused. */
export function DeleteDialog({ entity, question, isChosen, refusedId, ...dialog }: DeleteDialogProps) {
  const text = useText();
  const model = useModel();
  const isUndoable = mayUse(model, 'bin.restore', entity) || mayUse(model, 'history.read', entity);
  return (
    <RehearsedDialog
      {...dialog}
      title={text('delete.label')}
      subject={['delete', entity, ...dialog.subject]}
      question={isUndoable ? question : `${question} ${text('delete.final')}`}
      isDangerous
      show={({ changes, refusals = [], isPartial = false }) => (
        <Stack gap="xs">
          <AffectedRecords
            what="deleted"
            changes={changes.filter(
              (each) => each.change === 'deleted' && !(each.entity === entity && isChosen(each.id)),
            )}
          />
          {isPartial && <Text size="sm">{text('delete.partial')}</Text>}
          {refusals.map((refusal, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: refusals have no ids, and the refusals of one rehearsal do not move
            <RefusedDeletion key={at} error={refusal} entityName={entity} id={undefined} />
          ))}
        </Stack>
      )}
      showError={(error) => <RefusedDeletion error={error} entityName={entity} id={refusedId} />}
    />
  );
}
