import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { nameOfInstance } from '../values/format-value.ts';
import { recentOf } from './recent-list.ts';

/** The records that the user has opened last, with their present names; deleted and hidden ones are left out. */
export function RecentRecords() {
  const text = useText();
  const model = useModel();
  const [recent] = useState(() =>
    recentOf(model.user.username).filter(({ entityName }) => model.entities.has(entityName)),
  );
  const names = useQueries({
    queries: recent.map(({ entityName, id }) => ({
      queryKey: ['recent', entityName, id],
      retry: false,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const found = await model.client.load(entityName, id, { fetchPlan: '_instance_name', signal });
        return found === undefined ? null : nameOfInstance(found);
      },
    })),
  });
  const shown = recent.flatMap((each, at) => {
    const name = names[at]?.data;
    return name === undefined || name === null ? [] : [{ ...each, name }];
  });
  if (shown.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={text('recent.title')}>
      <Title order={2} size="h4">
        {text('recent.title')}
      </Title>
      {shown.map(({ entityName, id, name }) => (
        <Group key={`${entityName} ${id}`} gap="xs">
          <Anchor component={Link} to={`/data/${entityName}/${encodeURIComponent(id)}`} size="sm">
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed">
            {captionOf(model, entityName)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
