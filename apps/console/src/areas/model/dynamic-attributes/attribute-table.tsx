import { Badge, Button, Group } from '@mantine/core';
import { useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import type { AttributeDefinition } from './definition.ts';

interface AttributeTableProps {
  readonly label: string;
  readonly attributes: readonly AttributeDefinition[];
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly onChange: (attribute: AttributeDefinition) => void;
  readonly onDelete: (id: string) => void;
}

/** The attributes of a category. */
export function AttributeTable({ label, attributes, mayChange, mayDelete, onChange, onDelete }: AttributeTableProps) {
  const text = useText();
  return (
    <DataTable
      label={label}
      minWidth={620}
      rows={attributes}
      keyOf={({ id = '' }) => id}
      empty={text('dynamic.noAttributes')}
      columns={[
        { caption: text('dynamic.code'), cell: ({ code }) => `+${code}` },
        { caption: text('dynamic.name'), cell: ({ name }) => name },
        {
          caption: text('dynamic.type'),
          cell: ({ dataType, entityClass, enumeration }) =>
            [text(`dynamic.type.${dataType}`), entityClass ?? enumeration].filter(Boolean).join(': '),
        },
        {
          caption: text('model.properties'),
          cell: ({ required, isCollection }) => (
            <Group gap={4}>
              {required === true && <Badge variant="default">{text('dynamic.required')}</Badge>}
              {isCollection === true && <Badge variant="default">{text('dynamic.collection')}</Badge>}
            </Group>
          ),
        },
        {
          caption: text('dynamic.actions'),
          cell: (attribute) => (
            <Group gap="xs" wrap="nowrap">
              {mayChange && (
                <Button
                  size="xs"
                  aria-label={text('dynamic.changeOf', { name: attribute.code })}
                  onClick={() => onChange(attribute)}
                >
                  {text('dynamic.change')}
                </Button>
              )}
              {mayDelete && (
                <ConfirmButton
                  label={text('dynamic.deleteOf', { name: attribute.code })}
                  question={text('dynamic.deleteText')}
                  onConfirm={() => onDelete(attribute.id ?? '')}
                />
              )}
            </Group>
          ),
        },
      ]}
    />
  );
}
