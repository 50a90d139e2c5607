import { isObject } from '@lintel/react';
import '@mantine/core/styles/Fieldset.css';
import { Fieldset } from '@mantine/core';
import { InstanceFields } from '../instance-fields.tsx';
import type { LabelledFieldProps } from './field-props.ts';

/** The attributes of an embedded object, in a group. */
export function EmbeddedField({ field: { attribute, isReadOnly }, value, path, isNew, label }: LabelledFieldProps) {
  return (
    <Fieldset legend={label} p="sm">
      <InstanceFields
        entityName={attribute.type}
        values={isObject(value) ? value : {}}
        path={path}
        isNew={isNew}
        isLocked={isReadOnly}
      />
    </Fieldset>
  );
}
