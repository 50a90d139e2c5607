import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { AttributeForm } from './attribute-form.tsx';
import { CategoryForm } from './category-form.tsx';
import { CategorySection } from './category-section.tsx';
import { type AttributeDefinition, CATEGORY, CATEGORY_PLAN, type CategoryDefinition } from './definition.ts';

const MAX_CATEGORIES = 1_000;

interface EditedAttribute {
  readonly category: CategoryDefinition;
  /** Undefined: a new one. */
  readonly attribute: AttributeDefinition | undefined;
}

/** The dynamic attributes of all entities, by their categories: they are added, changed and deleted here. */
export function DynamicAttributesPage() {
  const text = useText();
  const { client, rights } = useModel();
  const queries = useQueryClient();
  const [category, setCategory] = useState<CategoryDefinition | 'new'>();
  const [edited, setEdited] = useState<EditedAttribute>();
  const { data, error, refetch } = useQuery({
    queryKey: ['dynamic-attributes'],
    queryFn: async ({ signal }) =>
      (await client.list(CATEGORY, {
        fetchPlan: CATEGORY_PLAN,
        sort: 'entityType,name',
        limit: MAX_CATEGORIES,
        signal,
      })) as unknown as readonly CategoryDefinition[],
  });
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['dynamic-attributes'] });
  const remove = useAction(
    ({ entity, id }: { readonly entity: string; readonly id: string }) => client.remove(entity, id),
    { reads: [['dynamic-attributes']] },
  );
  if (!rights.may(CATEGORY, 'read')) return <Alert color="yellow">{text('dynamic.notPermitted')}</Alert>;
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <TextLink to="/model">{text('model.title')}</TextLink>
          <Title order={1}>{text('dynamic.title')}</Title>
        </div>
        {rights.may(CATEGORY, 'create') && (
          <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setCategory('new')}>
            {text('dynamic.newCategory')}
          </Button>
        )}
      </Group>
      <Text size="sm">{text('dynamic.about')}</Text>
      {data.length === 0 && <Text>{text('dynamic.none')}</Text>}
      {data.map((each) => (
        <CategorySection
          key={each.id}
          category={each}
          onChange={() => setCategory(each)}
          onEdit={(attribute) => setEdited({ category: each, attribute })}
          onRemove={(entity, id) => remove.mutate({ entity, id })}
        />
      ))}
      {category !== undefined && (
        <CategoryForm
          category={category === 'new' ? undefined : category}
          onClose={(isSaved) => {
            setCategory(undefined);
            if (isSaved) refresh();
          }}
        />
      )}
      {edited !== undefined && (
        <AttributeForm
          {...edited}
          onClose={(isSaved) => {
            setEdited(undefined);
            if (isSaved) refresh();
          }}
        />
      )}
    </Stack>
  );
}
