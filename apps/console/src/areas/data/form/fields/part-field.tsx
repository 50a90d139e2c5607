import { defaultsOf, entityOfValue, isObject } from '@lintel/react';
import { useModel, useText } from '../../../../context.ts';
import '@mantine/core/styles/Fieldset.css';
import { Button, Fieldset, Group, Text } from '@mantine/core';
import { concreteEntitiesOf } from '../../concrete-entities.ts';
import { AddButton } from '../add-button.tsx';
import { ErrorText } from '../checking/error-text.tsx';
import { type LabelledFieldProps, useForm } from '../form-context.ts';
import { InstanceFields } from '../instance-fields.tsx';

/** The child of a composition to one, as a form in the form. */
export function PartField({ field: { attribute, isReadOnly }, value, path, label, error }: LabelledFieldProps) {
  const text = useText();
  const { entities, rights } = useModel();
  const { change } = useForm();
  const { type, inverse } = attribute;
  const concrete = concreteEntitiesOf({ entities, rights }, type);
  const part = isObject(value) ? value : undefined;
  const isRemoved = part?.['_removed'] === true;
  const isNew = part !== undefined && part['id'] === undefined;
  const entity = entityOfValue(entities, part, type);
  return (
    <Fieldset legend={label} p="sm">
      {part !== undefined && !isRemoved && (
        <InstanceFields
          entityName={entity}
          values={part}
          path={path}
          isNew={isNew}
          isLocked={isReadOnly}
          without={inverse}
          hasAutomatic={false}
        />
      )}
      <ErrorText message={error} />
      <Group mt={part === undefined || isRemoved ? 0 : 'xs'}>
        {part === undefined && isReadOnly && <Text size="sm">–</Text>}
        {part === undefined && !isReadOnly && concrete.length > 0 && (
          <AddButton
            entities={concrete}
            onAdd={(chosen) =>
              change(path, {
                ...defaultsOf(entities.get(chosen)),
                ...(chosen !== type && { _entityName: chosen }),
              })
            }
          >
            {text('part.add', { name: label })}
          </AddButton>
        )}
        {part !== undefined && !isReadOnly && rights.may(type, 'update') && (
          <Button
            size="compact-sm"
            onClick={() => {
              const { _removed, ...others } = part;
              change(path, isRemoved ? others : isNew ? null : { ...part, _removed: true });
            }}
          >
            {text(isRemoved ? 'part.restore' : 'part.remove', { name: label })}
          </Button>
        )}
      </Group>
    </Fieldset>
  );
}
