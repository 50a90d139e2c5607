import type { ConditionGroup } from '@lintel/client';
import { Group, Stack, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { captionOf, useLanguage, useModel } from '../../../../context.ts';
import { Hint, TextLink } from '../../../../controls/texts.tsx';
import { type ListView, searchOf, useViews } from './views-api.ts';

const MAX = 8;

/** The first saved views of the user and of others who share them, each with the number of its records. */
export function SavedViews() {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { views = [] } = useViews();
  const shown = views
    .filter(({ entityName, question }) => question === undefined && model.entities.has(entityName))
    .slice(0, MAX);
  const counts = useQueries({
    queries: shown.map(({ id, entityName, content }: ListView) => ({
      queryKey: ['view-count', id, content.filter],
      retry: false,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        model.client.count(entityName, {
          ...(content.filter !== undefined && { filter: content.filter as ConditionGroup }),
          signal,
        }),
    })),
  });
  if (shown.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={text('views.title')}>
      <Title order={2}>{text('views.title')}</Title>
      {shown.map((view, at) => (
        <Group key={view.id} gap="xs">
          <TextLink to={`/data/${view.entityName}`} search={searchOf(view) as never}>
            {view.name}
          </TextLink>
          <Hint>
            {captionOf(model, view.entityName)}
            {counts[at]?.data !== undefined && ` · ${counts[at].data.toLocaleString(locale)}`}
          </Hint>
        </Group>
      ))}
    </Stack>
  );
}
