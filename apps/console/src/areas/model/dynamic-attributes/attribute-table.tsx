import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { useText } from '../../../language/text-provider.tsx';
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
  if (attributes.length === 0) return <Text size="sm">{text('dynamic.noAttributes')}</Text>;
  return (
    <Table.ScrollContainer minWidth={620} type="native" tabIndex={0}>
      <Table aria-label={label} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text('dynamic.code')}</Table.Th>
            <Table.Th>{text('dynamic.name')}</Table.Th>
            <Table.Th>{text('dynamic.type')}</Table.Th>
            <Table.Th>{text('model.properties')}</Table.Th>
            <Table.Th>{text('dynamic.actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attributes.map((attribute) => {
            const { id = '', code, name, dataType, entityClass, enumeration, isCollection, required } = attribute;
            return (
              <Table.Tr key={id}>
                <Table.Td>+{code}</Table.Td>
                <Table.Td>{name}</Table.Td>
                <Table.Td>
                  {[text(`dynamic.type.${dataType}`), entityClass ?? enumeration].filter(Boolean).join(': ')}
                </Table.Td>
                <Table.Td>
                  <Group gap={4}>
                    {required === true && (
                      <Badge variant="default" tt="none" fw={500}>
                        {text('dynamic.required')}
                      </Badge>
                    )}
                    {isCollection === true && (
                      <Badge variant="default" tt="none" fw={500}>
                        {text('dynamic.collection')}
                      </Badge>
                    )}
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    {mayChange && (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={text('dynamic.changeOf', { name: code })}
                        onClick={() => onChange(attribute)}
                      >
                        {text('dynamic.change')}
                      </Button>
                    )}
                    {mayDelete && (
                      <ConfirmButton
                        label={text('dynamic.deleteOf', { name: code })}
                        question={text('dynamic.deleteText')}
                        onConfirm={() => onDelete(id)}
                      />
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
