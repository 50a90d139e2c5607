import { Badge, Button, Group, Title } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { AttributeTable } from './attribute-table.tsx';
import { ATTRIBUTE, type AttributeDefinition, CATEGORY, type CategoryDefinition, inOrder } from './definition.ts';

interface CategorySectionProps {
  readonly category: CategoryDefinition;
  /** The category itself is to be changed. */
  readonly onChange: () => void;
  /** An attribute is to be changed; undefined: a new one is to be added. */
  readonly onEdit: (attribute: AttributeDefinition | undefined) => void;
  /** The instance of the category, or of one of its attributes, is to be deleted. */
  readonly onRemove: (entity: string, id: string) => void;
}

/** A category with its attributes, and the buttons that the rights of the user allow. */
export function CategorySection({ category, onChange, onEdit, onRemove }: CategorySectionProps) {
  const text = useText();
  const model = useModel();
  const { rights } = model;
  return (
    <div>
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Title order={2}>{category.name}</Title>
            {category.isDefault === true && <Badge variant="default">{text('dynamic.default')}</Badge>}
          </Group>
          <TextLink to={`/model/${category.entityType}`}>
            {captionOf(model, category.entityType)} ({category.entityType})
          </TextLink>
        </div>
        <Group gap="xs">
          {rights.may(ATTRIBUTE, 'create') && (
            <Button
              size="xs"
              aria-label={text('dynamic.addTo', { name: category.name })}
              onClick={() => onEdit(undefined)}
            >
              {text('dynamic.add')}
            </Button>
          )}
          {rights.may(CATEGORY, 'update') && (
            <Button size="xs" aria-label={text('dynamic.changeOf', { name: category.name })} onClick={onChange}>
              {text('dynamic.change')}
            </Button>
          )}
          {rights.may(CATEGORY, 'delete') && (
            <ConfirmButton
              label={text('dynamic.deleteOf', { name: category.name })}
              question={text('dynamic.deleteCategoryText')}
              onConfirm={() => onRemove(CATEGORY, category.id)}
            />
          )}
        </Group>
      </Group>
      <AttributeTable
        label={category.name}
        attributes={inOrder(category.categoryAttrs)}
        mayChange={rights.may(ATTRIBUTE, 'update')}
        mayDelete={rights.may(ATTRIBUTE, 'delete')}
        onChange={onEdit}
        onDelete={(id) => onRemove(ATTRIBUTE, id)}
      />
    </div>
  );
}
