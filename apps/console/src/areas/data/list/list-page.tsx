import { mayUse } from '@lintel/react';
import { Alert, Group, Stack, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { captionOf, useModel, useText } from '../../../context.ts';
import { Hint, TextLink } from '../../../controls/texts.tsx';
import { FavouriteButton } from '../recent/favourite-button.tsx';
import { ImportButton } from './import-button.tsx';
import { InstanceList } from './instance-list.tsx';
import { NewInstance } from './new-instance.tsx';

/** The list of an entity. */
export function ListPage() {
  const { entity: name = '' } = useParams({ strict: false }) as { readonly entity?: string };
  const text = useText();
  const model = useModel();
  const entity = model.entities.get(name);
  if (entity === undefined || !model.rights.may(name, 'read'))
    return <Alert color="yellow">{text('list.unknownEntity', { name })}</Alert>;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <div>
          <Title order={1}>{captionOf(model, name)}</Title>
          <Hint>{name}</Hint>
        </div>
        <Group gap="xs">
          <FavouriteButton key={name} entityName={name} id="" />
          {mayUse(model, 'bin.read', name) && <TextLink to={`/data/${name}/bin`}>{text('bin.link')}</TextLink>}
          <ImportButton entity={name} />
          <NewInstance entity={name} />
        </Group>
      </Group>
      <InstanceList key={name} entity={entity} />
    </Stack>
  );
}
