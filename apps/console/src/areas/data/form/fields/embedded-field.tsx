import { isObject } from '@lintel/react';
import '@mantine/core/styles/Fieldset.css';
import { Fieldset } from '@mantine/core';
import type { LabelledFieldProps } from '../form-context.ts';
import { InstanceFields } from '../instance-fields.tsx';

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
