import { entityOfValue, isObject, linesOf, type Values } from '@lintel/react';
import { Stack, Text } from '@mantine/core';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { type FormAttribute, storedAttributesOf } from '../form/attributes/form-attributes.ts';
import { formatValue, nameOfInstance } from '../values/format-value.ts';

interface StateViewProps {
  readonly entity: string;
  readonly values: Values;
}

/** The values of an instance, with the children of its compositions. */
export function StateView({ entity: declared, values }: StateViewProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { entities, enums, rights } = model;
  const entity = entityOfValue(entities, values, declared);
  const info = entities.get(entity);
  if (info === undefined) return null;
  const fields = storedAttributesOf(info, rights).filter(({ attribute: { name } }) => values[name] !== undefined);
  const isInside = ({ widget }: FormAttribute): boolean => ['embedded', 'lines', 'part'].includes(widget);
  const captionOfField = ({ attribute }: FormAttribute): string => captionOf(model, entity, attribute.name);
  return (
    <Stack gap="xs">
      <DataTable
        label={nameOfInstance(values)}
        rows={fields.filter((field) => !isInside(field))}
        keyOf={({ attribute }) => attribute.name}
        minWidth={260}
        columns={[
          { caption: text('history.attribute'), cell: captionOfField, wraps: true },
          {
            caption: text('history.value'),
            wraps: true,
            cell: ({ attribute }) => (
              <bdi>{formatValue(values[attribute.name], attribute, { locale, text, enums }) || '–'}</bdi>
            ),
          },
        ]}
      />
      {fields.filter(isInside).map((field) => {
        const { name, type } = field.attribute;
        const value = values[name];
        const parts = Array.isArray(value) ? linesOf(value) : isObject(value) ? [value] : [];
        return parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may have no ids, and the parts of a former state do not move
          <Stack key={`${name} ${at}`} gap={4} component="section" ps="md">
            <Text size="sm" fw={600}>
              {captionOfField(field)}
            </Text>
            <StateView entity={type} values={part} />
          </Stack>
        ));
      })}
    </Stack>
  );
}
