import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Modal.css';
import { RestError } from '@lintel/client';
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmButton } from '../../../../controls/confirm-button.tsx';
import { ErrorAlert } from '../../../../errors/error-alert.tsx';
import { notify } from '../../../../errors/notify.ts';
import { useText } from '../../../../language/text-provider.tsx';
import { captionOf } from '../../../../model/model.ts';
import { useModel } from '../../../../model/model-provider.tsx';
import { listOfReferrers } from './list-of-referrers.ts';
import { referringAttributes } from './referring-attributes.ts';

interface DeleteProps {
  readonly entityName: string;
  readonly id: string;
  readonly name: string;
  readonly tag: string | undefined;
  /** Called before the page is left. */
  readonly onDeleted: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Deletes the instance when the user has confirmed it, and shows the list. */
export function DeleteButton({ entityName, id, name, tag, onDeleted, onFailure }: DeleteProps) {
  const text = useText();
  const { client } = useModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);

  async function remove(): Promise<void> {
    setDeleting(true);
    try {
      await client.remove(entityName, id, { ifMatch: tag });
      onDeleted();
      queries.removeQueries({ queryKey: ['instance', entityName, id] });
      await queries.invalidateQueries({ queryKey: ['list', entityName] });
      await navigate({ to: `/data/${entityName}` });
      void notify({ message: text('delete.done', { name }), closeLabel: text('action.close') });
    } catch (error) {
      onFailure(error);
    } finally {
      setDeleting(false);
    }
  }

  return (
    <ConfirmButton
      label={text('delete.label')}
      question={text('delete.question', { name })}
      size="sm"
      loading={isDeleting}
      onConfirm={() => void remove()}
    />
  );
}

/** Why an instance was not deleted: the entity that refers to it, with a list of its instances. */
export function RefusedDeletion({
  error,
  entityName,
  id,
}: {
  readonly error: unknown;
  readonly entityName: string;
  readonly id: unknown;
}) {
  const text = useText();
  const model = useModel();
  const details = error instanceof RestError && error.status === 409 ? error.details : '';
  const referrer = /references from (\w+)/.exec(details)?.[1];
  if (referrer === undefined) return <ErrorAlert error={error} />;
  const links = referringAttributes(model, entityName).filter(({ entity }) => entity === referrer);
  return (
    <Alert color="red" title={text('delete.refused')} role="alert">
      <Stack gap={4}>
        <Text size="sm">{text('delete.referred', { name: captionOf(model, referrer) })}</Text>
        {links.map(({ attribute: { name } }) => (
          <Anchor
            key={name}
            component={Link}
            {...listOfReferrers(referrer, name, id)}
            size="sm"
            c="inherit"
            underline="always"
          >
            {text('delete.show', { name: captionOf(model, referrer), attribute: captionOf(model, referrer, name) })}
          </Anchor>
        ))}
      </Stack>
    </Alert>
  );
}
