import { MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useModel } from '../../../model/model-provider.tsx';
import type { ReportParameter } from './sent-values.ts';

/** Instances that a choice has at most. */
const MAX_CHOICES = 200;

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
  readonly onChange: (value: unknown) => void;
}

/** The field of a parameter by its type. */
export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, alias, type, required, defaultValue, enumerationClass } = parameter;
  const { enums } = useModel();
  const label = { label: name || alias, withAsterisk: required };
  switch (type) {
    case 'BOOLEAN':
      return (
        <Switch
          label={label.label}
          checked={value === undefined ? defaultValue === 'true' : value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
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
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
        />
      );
    case 'ENTITY':
    case 'ENTITY_LIST':
      return <InstanceField parameter={parameter} value={value} onChange={onChange} />;
    default:
      return (
        <TextInput
          {...label}
          type={INPUT_TYPES[type] ?? 'text'}
          {...(type === 'NUMERIC' && { inputMode: 'decimal' })}
          placeholder={defaultValue}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}

function InstanceField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, alias, type, required, entityMetaClass: entity = '' } = parameter;
  const { client } = useModel();
  const { data } = useQuery({
    queryKey: ['instances', entity],
    queryFn: ({ signal }) => client.page(entity, { fetchPlan: '_instance_name', limit: MAX_CHOICES, signal }),
  });
  const choices = (data?.items ?? []).map((row) => ({
    value: String(row['id']),
    label: String(row['_instanceName'] ?? row['id']),
  }));
  const common = { label: name || alias, withAsterisk: required, data: choices, searchable: true };
  if (type === 'ENTITY_LIST')
    return <MultiSelect {...common} value={Array.isArray(value) ? value : []} onChange={onChange} />;
  return <Select {...common} clearable value={typeof value === 'string' ? value : null} onChange={onChange} />;
}
