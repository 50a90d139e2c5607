import { idSegment, NUMBER_TYPES } from '@lintel/react';
import { ActionIcon, Button, Fieldset, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useClient, useModel, useText } from '../../../context.ts';
import { FileField } from '../../data/form/fields/file-field.tsx';
import { ReferenceField } from '../../data/form/fields/reference-field.tsx';
import { FormProvider } from '../../data/form/form-context.ts';
import { inputTypeOf, stepOf } from '../../data/values/input-type.ts';
import { type Entered, isEmpty, type ValueType } from './value-type.ts';

const NO_MESSAGES: ReadonlyMap<string, string> = new Map();
const nothing = (): void => undefined;

interface SingleFieldProps {
  readonly onChange: (value: unknown) => void;
  readonly children: ReactNode;
}

/** The form that a field of the data area is in, for one field alone. */
function SingleField({ onChange, children }: SingleFieldProps) {
  const form = useMemo(
    () => ({
      messages: NO_MESSAGES,
      change: (_path: string, value: unknown) => onChange(value),
      addStored: nothing,
      report: nothing,
      // Fields of extensions are those of attributes.
      extension: {},
      id: undefined,
      depth: 0,
    }),
    [onChange],
  );
  return <FormProvider value={form}>{children}</FormProvider>;
}

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

/** An instance, found by words of its name. Its value is the id, so that an address has no names. */
function InstanceField(props: ValueFieldProps & { readonly entity: string }) {
  const { entity, label, required, value, error, onChange } = props;
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['instance-of-parameter', entity, value],
    queryFn: async ({ signal }) =>
      (await client.load(entity, idSegment(value), { fetchPlan: '_instance_name', signal })) ?? null,
    enabled: !isEmpty(value),
  });
  const attribute = { name: label, type: entity, mandatory: required } as never;
  return (
    <SingleField onChange={(chosen) => onChange((chosen as { readonly id: unknown } | null)?.id ?? '')}>
      <ReferenceField
        entity={entity}
        field={{ attribute, widget: 'reference', isReadOnly: false }}
        path={label}
        isNew
        label={label}
        value={isEmpty(value) ? null : (data ?? { id: value })}
        error={error}
      />
    </SingleField>
  );
}

/** The elements of a collection, each with a field of its type. */
function ListField({ label, item, value, error, onChange }: ValueFieldProps & { readonly item: ValueType }) {
  const text = useText();
  const items: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === '' ? [''] : [value];
  return (
    <Fieldset legend={label}>
      <Stack gap="xs">
        {items.map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: elements have no other identity
          <Group key={at} align="flex-end" wrap="nowrap" gap="xs">
            <div style={{ flexGrow: 1 }}>
              <ValueField
                label={`${label} ${at + 1}`}
                type={item}
                required={false}
                value={each}
                error={undefined}
                onChange={(changed) => onChange(items.with(at, changed))}
              />
            </div>
            <ActionIcon
              size="lg"
              aria-label={text('calls.removeElement', { name: `${label} ${at + 1}` })}
              onClick={() => onChange(items.toSpliced(at, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button size="compact-sm" leftSection={<IconPlus size={14} />} onClick={() => onChange([...items, ''])}>
            {text('calls.addElement', { name: label })}
          </Button>
        </Group>
        {error !== undefined && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
