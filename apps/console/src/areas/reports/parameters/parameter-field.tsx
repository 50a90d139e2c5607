import { Select } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import { SwitchField, TextField } from '../../../controls/forms.tsx';
import { InstanceSelect } from '../../data/values/instance-select.tsx';
import type { ReportParameter } from './sent-values.ts';

/** The types of the inputs of the browser; dates are in its language, and sent in the form of ISO 8601. */
const INPUT_TYPES: Readonly<Record<string, string>> = {
  DATE: 'date',
  TIME: 'time',
  DATETIME: 'datetime-local',
  NUMERIC: 'text',
};

interface ParameterFieldProps {
  readonly parameter: ReportParameter;
  readonly value: unknown;
  /** What the server says about it. */
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The field of a parameter by its type. */
export function ParameterField({ parameter, value, error, onChange }: ParameterFieldProps) {
  const { name, alias, type, required, defaultValue, defaultExpression, enumerationClass, lookupFilter } = parameter;
  const { enums } = useModel();
  const text = useText();
  // The input of a date shows no placeholder.
  const isMoment = ['DATE', 'TIME', 'DATETIME'].includes(type);
  const label = { label: name || alias, withAsterisk: required, error };
  switch (type) {
    case 'BOOLEAN':
      return (
        <SwitchField
          label={label.label}
          checked={value === undefined ? defaultValue === 'true' : value === true}
          onChange={onChange}
        />
      );
    case 'ENUMERATION':
      return (
        <Select
          {...label}
          clearable
          data={(enums.get(enumerationClass ?? '')?.values ?? []).map((each) => ({
            value: each.name,
            label: each.caption,
          }))}
          value={typeof value === 'string' ? value : (defaultValue ?? null)}
          onChange={onChange}
        />
      );
    case 'ENTITY':
    case 'ENTITY_LIST':
      return (
        <InstanceSelect
          {...label}
          miw={0}
          target={parameter.entityMetaClass ?? ''}
          isList={type === 'ENTITY_LIST'}
          filter={lookupFilter}
          description={defaultExpression && text('run.currentUser')}
          value={value ?? defaultValue}
          onChange={onChange}
        />
      );
    default:
      return (
        <TextField
          {...label}
          type={INPUT_TYPES[type] ?? 'text'}
          {...(type === 'NUMERIC' && { inputMode: 'decimal' })}
          {...(isMoment ? { step: 'any' } : { placeholder: defaultValue })}
          value={typeof value === 'string' ? value : (isMoment && defaultValue) || ''}
          onChange={onChange}
        />
      );
  }
}
