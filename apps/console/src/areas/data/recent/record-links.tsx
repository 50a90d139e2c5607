import { Group, Stack, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { Hint, TextLink } from '../../../controls/texts.tsx';
import { instancePath } from '../instance-path.ts';
import { nameOfInstance } from '../values/format-value.ts';
import { type Kept, keptRecords } from './kept-records.ts';

/** Links to records and lists that are kept for the user, with their present names; deleted and hidden ones are left out. */
export function RecordLinks({ kind }: { readonly kind: Kept }) {
  const text = useText();
  const model = useModel();
  const [kept] = useState(() =>
    keptRecords(kind, model.user.username).filter(({ entityName }) => model.entities.has(entityName)),
  );
  const names = useQueries({
    queries: kept.map(({ entityName, id }) => ({
      queryKey: ['recent', entityName, id],
      retry: false,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        if (id === '') return text('list.all');
        const found = await model.client.load(entityName, id, { fetchPlan: '_instance_name', signal });
        return found === undefined ? null : nameOfInstance(found);
      },
    })),
  });
  const shown = kept.flatMap((each, at) => {
    const name = names[at]?.data;
    return name === undefined || name === null ? [] : [{ ...each, name }];
  });
  if (shown.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={text(`${kind}.title`)}>
      <Title order={2}>{text(`${kind}.title`)}</Title>
      {shown.map(({ entityName, id, name }) => (
        <Group key={`${entityName} ${id}`} gap="xs">
          <TextLink to={id === '' ? `/data/${entityName}` : instancePath(entityName, id)}>
            <bdi>{name}</bdi>
          </TextLink>
          <Hint>{captionOf(model, entityName)}</Hint>
        </Group>
      ))}
    </Stack>
  );
}
