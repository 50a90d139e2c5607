import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Input, NativeSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useLanguage } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { formatValue } from '../values/format-value.ts';
import { FileField } from './file-field.tsx';
import type { FormAttribute } from './form-attributes.ts';
import { ReferenceField } from './reference-field.tsx';

export interface FieldProps {
  readonly entity: string;
  readonly field: FormAttribute;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

const INPUT_TYPES = { date: 'date', dateTime: 'datetime-local', time: 'time' } as const;
/** Longer texts have several rows. */
const LONG_TEXT = 80;

/** The field of an attribute, with its caption, its value and what is wrong with it. */
export function Field(props: FieldProps) {
  const { entity, field, value, error, onChange } = props;
  const { attribute, widget, isReadOnly } = field;
  const { text, locale } = useLanguage();
  const model = useModel();
  const label = captionOf(model, entity, attribute.name);
  const common = { label, error, required: attribute.mandatory && !isReadOnly, withAsterisk: attribute.mandatory };
  if (isReadOnly && widget !== 'file') {
    const shown = formatValue(value, attribute, { locale, text, enums: model.enums });
    return (
      <Input.Wrapper label={label} labelElement="div" error={error}>
        <Text size="sm">{shown === '' ? '–' : shown}</Text>
      </Input.Wrapper>
    );
  }
  const shown = value === null || value === undefined ? '' : String(value);
  switch (widget) {
    case 'reference':
      return <ReferenceField {...props} label={label} />;
    case 'file':
      return <FileField {...props} label={label} />;
    case 'boolean':
      return (
        <Switch
          label={label}
          checked={value === true}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'enum':
      return (
        <NativeSelect
          {...common}
          value={shown}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          data={[
            { value: '', label: '' },
            ...(model.enums.get(attribute.type)?.values ?? []).map(({ name, caption }) => ({
              value: name,
              label: caption,
            })),
          ]}
        />
      );
    case 'date':
    case 'dateTime':
    case 'time':
      return (
        <TextInput
          {...common}
          type={INPUT_TYPES[widget]}
          {...(widget !== 'date' && { step: '0.001' })}
          value={shown}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    default: {
      const change = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
        onChange(currentTarget.value);
      if (widget === 'text' && (shown.length > LONG_TEXT || shown.includes('\n')))
        return <Textarea {...common} rows={4} value={shown} onChange={change} />;
      return (
        <TextInput {...common} {...(widget === 'number' && { inputMode: 'decimal' })} value={shown} onChange={change} />
      );
    }
  }
}
