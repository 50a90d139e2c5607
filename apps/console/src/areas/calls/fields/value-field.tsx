import { NUMBER_TYPES } from '@lintel/react';
import { Fieldset, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import { FileField } from '../../data/form/fields/file-field.tsx';
import { inputTypeOf, stepOf } from '../../data/values/input-type.ts';
import { InstanceField } from './instance-field.tsx';
import { ListField } from './list-field.tsx';
import { SingleField } from './single-field.tsx';
import type { Entered, ValueType } from './value-type.ts';

export interface ValueFieldProps {
  readonly label: string;
  readonly type: ValueType;
  readonly required: boolean;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  offsetDateTime: '2026-01-31T12:00:00Z',
  offsetTime: '12:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** The field of a parameter, by its type. */
export function ValueField(props: ValueFieldProps) {
  const { label, type, required, value, error, onChange } = props;
  const text = useText();
  const model = useModel();
  const common = { label, error, withAsterisk: required, value: asText(value) };
  const change = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(currentTarget.value);
  switch (type.kind) {
    case 'entity':
      return <InstanceField {...props} entity={type.type} />;
    case 'enum':
      return (
        <NativeSelect
          {...common}
          onChange={change}
          data={[
            { value: '', label: '' },
            ...(model.enums.get(type.type)?.values ?? []).map(({ name, caption }) => ({ value: name, label: caption })),
          ]}
        />
      );
    case 'list':
      return <ListField {...props} item={type.item} />;
    case 'record': {
      const members = (value ?? {}) as Entered;
      return (
        <Fieldset legend={label}>
          <Stack gap="sm">
            {type.members.map((member) => (
              <ValueField
                key={member.name}
                label={member.name}
                type={member.valueType}
                required={member.required}
                value={members[member.name]}
                error={undefined}
                onChange={(changed) => onChange({ ...members, [member.name]: changed })}
              />
            ))}
          </Stack>
        </Fieldset>
      );
    }
    case 'datatype':
      break;
    case 'object':
    case 'any':
    case 'void':
      return <Textarea {...common} description={text('calls.json')} rows={4} onChange={change} ff="monospace" />;
    default:
      return type satisfies never;
  }
  if (type.entity !== undefined && model.rights.may(type.entity, 'read'))
    return <InstanceField {...props} entity={type.entity} />;
  if (type.type === 'boolean')
    return (
      <NativeSelect
        {...common}
        onChange={change}
        data={[
          { value: '', label: '' },
          { value: 'true', label: text('calls.true') },
          { value: 'false', label: text('calls.false') },
        ]}
      />
    );
  if (type.type === 'fileRef') {
    const attribute = { name: label, type: 'fileRef', mandatory: required } as never;
    return (
      <SingleField onChange={onChange}>
        <FileField
          entity=""
          field={{ attribute, widget: 'file', isReadOnly: false }}
          path={label}
          isNew
          label={label}
          value={value}
          error={error}
        />
      </SingleField>
    );
  }
  const input = inputTypeOf(type.type, common.value);
  return (
    <TextInput
      {...common}
      type={input}
      placeholder={EXAMPLES[type.type]}
      {...(NUMBER_TYPES.has(type.type) && { inputMode: 'decimal' })}
      {...((input === 'datetime-local' || input === 'time') && { step: stepOf(common.value) })}
      onChange={change}
    />
  );
}

const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
