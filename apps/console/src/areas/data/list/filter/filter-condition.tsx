import type { AttributeInfo } from '@lintel/client';
import { ActionIcon, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useContext } from 'react';
import { useModel, useText } from '../../../../context.ts';
import { ChoiceField, TextField } from '../../../../controls/forms.tsx';
import { PathSelect } from '../../paths/path-select.tsx';
import { ValueField } from '../../values/value-field.tsx';
import { type DraftCondition, problemOf, withOperator, withPath } from './filter-draft.ts';
import { type FilterPath, resolveFilterPath, withInside } from './filter-path.ts';
import { JSON_TYPES, type JsonType, jsonTypeOf } from './json-value.ts';
import { hasList, hasNoValue, operatorsIn } from './operators.ts';
import { offeredFor, parameterOf, UserValues, userValue } from './user-values.ts';

interface JsonFieldsProps {
  readonly condition: DraftCondition;
  readonly found: FilterPath;
  readonly error?: string | undefined;
  readonly onChange: (condition: DraftCondition) => void;
}

/** Where in the JSON of an attribute a condition looks. */
function InsideField({ condition, found, error, onChange }: JsonFieldsProps) {
  const text = useText();
  return (
    <TextField
      label={text('filter.inside')}
      placeholder="address.city"
      error={error}
      value={found.inside ?? ''}
      onChange={(value) => onChange({ ...condition, path: withInside(found.base, value) })}
    />
  );
}

const DATATYPES: Readonly<Record<JsonType, string>> = { boolean: 'boolean', number: 'decimal', text: 'string' };

/** What a JSON value is compared with: values of different JSON types are never equal. */
function JsonValueField({ condition, found, error, onChange }: JsonFieldsProps) {
  const text = useText();
  const { value, operator } = condition;
  const type = condition.jsonType ?? jsonTypeOf(value);
  // A list of booleans is entered as texts, as other lists are.
  const entered = type === 'boolean' && hasList(operator) ? 'text' : type;
  const attribute = { ...found.attribute, type: DATATYPES[entered] } as AttributeInfo;
  return (
    <>
      <ChoiceField
        label={text('filter.valueType')}
        value={type}
        data={JSON_TYPES.map((each) => ({ value: each, label: text(`filter.type.${each}`) }))}
        onChange={(value) => onChange({ ...condition, jsonType: value as JsonType })}
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

/** Operators with one value that can be another attribute's. */
const COMPARISONS = new Set(['=', '<>', '>', '>=', '<', '<=']);

interface FilterConditionProps {
  readonly entityName: string;
  readonly condition: DraftCondition;
  readonly isChecked: boolean;
  /** Without a condition, it is removed. */
  readonly onChange: (condition: DraftCondition | undefined) => void;
}

/** A condition: attribute, operator and value. */
export function FilterCondition({ entityName, condition, isChecked, onChange }: FilterConditionProps) {
  const text = useText();
  const model = useModel();
  const { path, operator, value } = condition;
  const found = resolveFilterPath(model, entityName, path);
  const allUserValues = useContext(UserValues);
  const userValues =
    found === undefined || !COMPARISONS.has(operator) ? [] : offeredFor(allUserValues, found.attribute);
  const offered = found === undefined ? [] : operatorsIn(model, found.attribute);
  const parameter = parameterOf(value);
  const problem = isChecked ? problemOf(model, entityName, condition) : undefined;
  return (
    <Group gap="xs" align="start" role="group" aria-label={found?.caption ?? text('filter.condition')}>
      <PathSelect
        entityName={entityName}
        path={found?.base ?? ''}
        label={text('filter.attribute')}
        hasDynamic
        isOffered={(attribute) =>
          attribute.persistent && attribute.type !== 'byteArray' && attribute.writeOnly !== true
        }
        error={
          problem === 'filter.noAttribute' || problem === 'filter.unknownAttribute'
            ? text(problem, { name: path })
            : undefined
        }
        onChange={(next) => onChange(withPath(model, entityName, condition, next))}
      />
      {found?.inside !== undefined && (
        <InsideField
          condition={condition}
          found={found}
          error={problem === 'filter.badInside' ? text(problem) : undefined}
          onChange={onChange}
        />
      )}
      {found !== undefined && (
        <ChoiceField
          label={text('filter.operator')}
          error={problem === 'filter.noOperator' ? text(problem) : undefined}
          value={operator}
          data={[
            ...(offered.includes(operator) ? [] : [{ value: operator, label: operator }]),
            ...offered.map((each) => ({ value: each, label: text(`operator.${each}`) })),
          ]}
          onChange={(next) => onChange(withOperator(condition, next))}
        />
      )}
      {found?.inside !== undefined && !hasNoValue(operator) && (
        <JsonValueField
          condition={condition}
          found={found}
          error={problem === 'filter.noValue' || problem === 'filter.wrongType' ? text(problem) : undefined}
          onChange={onChange}
        />
      )}
      {userValues.length > 0 && (
        <ChoiceField
          label={text('filter.comparedWith')}
          value={parameter ?? ''}
          data={[
            { value: '', label: text('filter.fixedValue') },
            ...userValues.map((each) => ({ value: each.parameter, label: each.caption })),
          ]}
          onChange={(next) => onChange({ ...condition, value: next === '' ? undefined : userValue(next) })}
        />
      )}
      {found !== undefined && found.inside === undefined && !hasNoValue(operator) && parameter === undefined && (
        <ValueField
          attribute={found.attribute}
          label={text('filter.value')}
          value={value}
          isList={hasList(operator)}
          error={problem === 'filter.noValue' ? text(problem) : undefined}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      )}
      <ActionIcon size={36} mt={25} aria-label={text('filter.removeCondition')} onClick={() => onChange(undefined)}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
