import type { AttributeInfo } from '@lintel/client';
import { NativeSelect, TextInput } from '@mantine/core';
import { useText } from '../../../../context.ts';
import { ValueField } from '../../values/value-field.tsx';
import type { DraftCondition } from './filter-draft.ts';
import type { FilterPath } from './filter-path.ts';
import { withInside } from './filter-path.ts';
import { JSON_TYPES, type JsonType, jsonTypeOf } from './json-value.ts';
import { hasList } from './operators.ts';

interface JsonFieldsProps {
  readonly condition: DraftCondition;
  readonly found: FilterPath;
  readonly error?: string | undefined;
  readonly onChange: (condition: DraftCondition) => void;
}

/** Where in the JSON of an attribute a condition looks. */
export function InsideField({ condition, found, error, onChange }: JsonFieldsProps) {
  const text = useText();
  return (
    <TextInput
      label={text('filter.inside')}
      placeholder="address.city"
      error={error}
      value={found.inside ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ ...condition, path: withInside(found.base, value) })}
    />
  );
}

const DATATYPES: Readonly<Record<JsonType, string>> = { boolean: 'boolean', number: 'decimal', text: 'string' };

/** What a JSON value is compared with: values of different JSON types are never equal. */
export function JsonValueField({ condition, found, error, onChange }: JsonFieldsProps) {
  const text = useText();
  const { value, operator } = condition;
  const type = condition.jsonType ?? jsonTypeOf(value);
  // A list of booleans is entered as texts, as other lists are.
  const entered = type === 'boolean' && hasList(operator) ? 'text' : type;
  const attribute = { ...found.attribute, type: DATATYPES[entered] } as AttributeInfo;
  return (
    <>
      <NativeSelect
        label={text('filter.valueType')}
        value={type}
        data={JSON_TYPES.map((each) => ({ value: each, label: text(`filter.type.${each}`) }))}
        onChange={({ currentTarget }) => onChange({ ...condition, jsonType: currentTarget.value as JsonType })}
      />
      <ValueField
        attribute={attribute}
        label={text('filter.value')}
        value={value}
        isList={hasList(operator)}
        error={error}
        onChange={(next) => onChange({ ...condition, jsonType: type, value: next })}
      />
    </>
  );
}
