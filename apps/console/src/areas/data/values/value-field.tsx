import { useModel, useText } from '../../../context.ts';
import { ChoiceField, TextField } from '../../../controls/forms.tsx';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import type { AttributeInfo, DynamicAttributeInfo } from '@lintel/client';
import { MultiSelect, TagsInput } from '@mantine/core';
import { inputOfMoment, inputTypeOf, stepOf } from './input-type.ts';
import { InstanceSelect } from './instance-select.tsx';
import { valueKindOf } from './value-kind.ts';

interface ValueFieldProps {
  readonly attribute: AttributeInfo;
  readonly label: string;
  readonly value: unknown;
  /** Several values instead of one. */
  readonly isList?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The options are in the landmark of their field. */
const WITHIN = { withinPortal: false };

/** A value of an attribute, or a list of them, for a condition or a change; entered as its type needs it. */
export function ValueField({ attribute, label, value, isList = false, error, onChange }: ValueFieldProps) {
  const text = useText();
  const { enums } = useModel();
  // Of an enumeration that administrators have defined.
  const { values: choices } = attribute as Partial<DynamicAttributeInfo>;
  const kind = choices === undefined ? valueKindOf(attribute) : 'enum';
  const common = { label, error, miw: 160 };
  const shown = value === undefined || value === null || typeof value === 'object' ? '' : String(value);
  const many = Array.isArray(value) ? value.map(String) : [];
  if (kind === 'reference')
    return <InstanceSelect {...common} target={attribute.type} value={value} isList={isList} onChange={onChange} />;
  if (kind === 'enum') {
    const data =
      choices?.map((each) => ({ value: each, label: each })) ??
      (enums.get(attribute.type)?.values ?? []).map(({ name, caption }) => ({ value: name, label: caption }));
    if (isList) return <MultiSelect {...common} comboboxProps={WITHIN} data={data} value={many} onChange={onChange} />;
    return <ChoiceField {...common} data={[{ value: '', label: '' }, ...data]} value={shown} onChange={onChange} />;
  }
  if (kind === 'boolean')
    return (
      <ChoiceField
        {...common}
        data={[
          { value: '', label: '' },
          { value: 'true', label: text('value.true') },
          { value: 'false', label: text('value.false') },
        ]}
        value={shown}
        onChange={(next) => onChange(next === '' ? undefined : next === 'true')}
      />
    );
  if (isList)
    return (
      <TagsInput {...common} comboboxProps={WITHIN} value={many} onChange={onChange} description={text('value.list')} />
    );
  if (kind === 'offsetDateTime') {
    const { momentOf, ...input } = inputOfMoment(shown);
    return (
      <TextField {...common} {...input} step={stepOf(input.value)} onChange={(value) => onChange(momentOf(value))} />
    );
  }
  return (
    <TextField
      {...common}
      {...(kind === 'number' && { inputMode: 'decimal' })}
      type={inputTypeOf(attribute.type, shown)}
      {...(kind === 'dateTime' && { step: stepOf(shown) })}
      value={shown}
      onChange={onChange}
    />
  );
}
