import { joinPath, type Values } from '@lintel/react';
import { useModel, useText } from '../../../context.ts';
import '@mantine/core/styles/SimpleGrid.css';
import '@mantine/core/styles/Fieldset.css';
import { Fieldset, SimpleGrid, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { type FormAttribute, formAttributesOf, groupsOf, type Widget } from './attributes/form-attributes.ts';
import { Field } from './field.tsx';
import classes from './form.module.css';

/** Widgets that need the whole width. */
const WIDE = new Set<Widget>(['embedded', 'json', 'lines', 'part', 'references', 'textarea']);

interface InstanceFieldsProps {
  readonly entityName: string;
  readonly values: Values;
  /** Of the instance in the draft; "" for the root. */
  readonly path: string;
  readonly isNew: boolean;
  /** Nothing can be changed: the user may not change what contains it. */
  readonly isLocked?: boolean;
  /** The attribute that leads back to what contains it. */
  readonly without?: string | undefined;
  /** Shows what the platform sets: version, times and users of changes. */
  readonly hasAutomatic?: boolean;
}

/** The fields of an instance in their groups. */
export function InstanceFields(props: InstanceFieldsProps) {
  const { entityName, values, path, isNew, isLocked = false, without, hasAutomatic = true } = props;
  const text = useText();
  const { entities, rights } = useModel();
  const groups = useMemo(() => {
    const entity = entities.get(entityName);
    if (entity === undefined) return [];
    const fields = formAttributesOf(entity, rights, isNew)
      .filter(({ attribute: { name } }) => name !== without)
      .map((field): FormAttribute => (isLocked ? { ...field, isReadOnly: true } : field));
    const automatic = text('form.automatic');
    return groupsOf(entity, fields, automatic).filter(({ caption }) => hasAutomatic || caption !== automatic);
  }, [entities, rights, entityName, isNew, isLocked, without, hasAutomatic, text]);
  return (
    <Stack gap="md">
      {groups.map(({ caption, fields }) =>
        caption === undefined ? (
          <FieldGrid key="" {...{ entityName, values, path, isNew, fields }} />
        ) : (
          <Fieldset key={caption} legend={caption} p="sm">
            <FieldGrid {...{ entityName, values, path, isNew, fields }} />
          </Fieldset>
        ),
      )}
    </Stack>
  );
}

interface FieldGridProps extends Pick<InstanceFieldsProps, 'entityName' | 'values' | 'path' | 'isNew'> {
  readonly fields: readonly FormAttribute[];
}

const FieldGrid = ({ entityName, values, path, isNew, fields }: FieldGridProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
    {fields.map((field) => {
      const { name } = field.attribute;
      return (
        <div key={name} className={WIDE.has(field.widget) ? classes['wide'] : undefined}>
          <Field entity={entityName} field={field} value={values[name]} path={joinPath(path, name)} isNew={isNew} />
        </div>
      );
    })}
  </SimpleGrid>
);
