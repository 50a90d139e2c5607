import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Modal.css';
import { RestError } from '@lintel/client';
import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { notify } from '../../../errors/notify.ts';
import { useText } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { DIALOG_HEADER } from './dialog-header.ts';
import { listOfReferrers } from './links/list-of-referrers.ts';
import { referringAttributes } from './links/referring-attributes.ts';

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
  const [isAsking, { open, close }] = useDisclosure();

  async function remove(): Promise<void> {
    close();
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
    <>
      <Button variant="default" loading={isDeleting} onClick={open}>
        {text('delete.label')}
      </Button>
      <Modal
        opened={isAsking}
        onClose={close}
        title={text('delete.label')}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': text('action.close') }}
        attributes={DIALOG_HEADER}
      >
        <Text size="sm">{text('delete.question', { name })}</Text>
        <Group justify="end" mt="md">
          <Button variant="default" onClick={close}>
            {text('delete.cancel')}
          </Button>
          <Button color="red" onClick={() => void remove()}>
            {text('delete.label')}
          </Button>
        </Group>
      </Modal>
    </>
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
  readonly id: string;
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
