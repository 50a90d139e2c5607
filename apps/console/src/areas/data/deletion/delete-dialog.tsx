import { type Rehearsal, RestError } from '@lintel/client';
import { mayUse } from '@lintel/react';
import { Alert, Stack, Text } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { RehearsedDialog } from '../undo/rehearsed-dialog.tsx';
import { AffectedRecords } from './affected-records.tsx';
import { listOfReferrers } from './list-of-referrers.ts';
import { referringAttributes } from './referring-attributes.ts';

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

interface RefusedDeletionProps {
  readonly error: unknown;
  readonly entityName: string;
  /** Absent where it is one of several instances. */
  readonly id: unknown;
}

/** Why an instance is not deleted: the entity that refers to it, with a list of its instances. */
function RefusedDeletion({ error, entityName, id }: RefusedDeletionProps) {
  const text = useText();
  const model = useModel();
  const details = error instanceof RestError && error.status === 409 ? error.details : '';
  const referrer = /references from (\w+)/.exec(details)?.[1];
  if (referrer === undefined) return <ErrorAlert error={error} />;
  const links =
    id === undefined ? [] : referringAttributes(model, entityName).filter(({ entity }) => entity === referrer);
  return (
    <Alert color="red" title={text(id === undefined ? 'delete.someRefused' : 'delete.refused')} role="alert">
      <Stack gap={4}>
        <Text size="sm">{text('delete.referred', { name: captionOf(model, referrer) })}</Text>
        {links.map(({ attribute: { name } }) => (
          <TextLink key={name} {...listOfReferrers(referrer, name, id)} c="inherit" underline="always">
            {text('delete.show', { name: captionOf(model, referrer), attribute: captionOf(model, referrer, name) })}
          </TextLink>
        ))}
      </Stack>
    </Alert>
  );
}
