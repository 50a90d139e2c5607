import { Alert, Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useShowError } from '../../../errors/use-show-error.ts';
import { useText } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { AttributeForm } from './attribute-form.tsx';
import { AttributeTable } from './attribute-table.tsx';
import { CategoryForm } from './category-form.tsx';
import { type AttributeDefinition, CATEGORY_PLAN, type CategoryDefinition, inOrder } from './definition.ts';

const CATEGORY = 'dynat_Category';
const ATTRIBUTE = 'dynat_CategoryAttribute';
const MAX_CATEGORIES = 1_000;

interface EditedAttribute {
  readonly category: CategoryDefinition;
  /** Undefined: a new one. */
  readonly attribute: AttributeDefinition | undefined;
}

/** The dynamic attributes of all entities, by their categories: they are added, changed and deleted here. */
export function DynamicAttributesPage() {
  const text = useText();
  const model = useModel();
  const { client, rights } = model;
  const queries = useQueryClient();
  const showError = useShowError();
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
  const remove = useMutation({
    mutationFn: ({ entity, id }: { readonly entity: string; readonly id: string }) => client.remove(entity, id),
    onError: showError,
    onSettled: refresh,
  });
  if (!rights.may(CATEGORY, 'read')) return <Alert color="yellow">{text('dynamic.notPermitted')}</Alert>;
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Anchor component={Link} to="/model" size="sm">
            {text('model.title')}
          </Anchor>
          <Title order={1} size="h2">
            {text('dynamic.title')}
          </Title>
        </div>
        {rights.may(CATEGORY, 'create') && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCategory('new')}>
            {text('dynamic.newCategory')}
          </Button>
        )}
      </Group>
      <Text size="sm">{text('dynamic.about')}</Text>
      {data.length === 0 && <Text>{text('dynamic.none')}</Text>}
      {data.map((each) => (
        <section key={each.id} aria-label={each.name}>
          <Group justify="space-between">
            <div>
              <Group gap="xs">
                <Title order={2} size="h4">
                  {each.name}
                </Title>
                {each.isDefault === true && (
                  <Badge variant="default" tt="none">
                    {text('dynamic.default')}
                  </Badge>
                )}
              </Group>
              <Anchor component={Link} to={`/model/${each.entityType}`} size="sm">
                {captionOf(model, each.entityType)} ({each.entityType})
              </Anchor>
            </div>
            <Group gap="xs">
              {rights.may(ATTRIBUTE, 'create') && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={text('dynamic.addTo', { name: each.name })}
                  onClick={() => setEdited({ category: each, attribute: undefined })}
                >
                  {text('dynamic.add')}
                </Button>
              )}
              {rights.may(CATEGORY, 'update') && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={text('dynamic.changeOf', { name: each.name })}
                  onClick={() => setCategory(each)}
                >
                  {text('dynamic.change')}
                </Button>
              )}
              {rights.may(CATEGORY, 'delete') && (
                <ConfirmButton
                  label={text('dynamic.deleteOf', { name: each.name })}
                  question={text('dynamic.deleteCategoryText')}
                  onConfirm={() => remove.mutate({ entity: CATEGORY, id: each.id })}
                />
              )}
            </Group>
          </Group>
          <AttributeTable
            label={each.name}
            attributes={inOrder(each.categoryAttrs)}
            mayChange={rights.may(ATTRIBUTE, 'update')}
            mayDelete={rights.may(ATTRIBUTE, 'delete')}
            onChange={(attribute) => setEdited({ category: each, attribute })}
            onDelete={(id) => remove.mutate({ entity: ATTRIBUTE, id })}
          />
        </section>
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
