import type { AttributeInfo } from '@lintel/client';
import { captionOf, useModel, useText } from '../../../../context.ts';
import { CheckField, ChoiceField, SubmitForm } from '../../../../controls/forms.tsx';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ValueField } from '../../values/value-field.tsx';
import type { Row } from '../row.ts';
import { isComplete, type NewValue, writtenValues } from './new-values.ts';

interface BulkChangeProps {
  readonly entityName: string;
  readonly attributes: readonly AttributeInfo[];
  readonly count: number;
  readonly onChange: (values: Row) => void;
}

/** New values for attributes of all selected instances. */
export function BulkChange({ entityName, attributes, count, onChange }: BulkChangeProps) {
  const text = useText();
  const model = useModel();
  const [values, setValues] = useState<ReadonlyMap<string, NewValue>>(new Map());
  const set = (name: string, value: NewValue | undefined): void => {
    const next = new Map(values);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    setValues(next);
  };
  const chosen = attributes.filter(({ name }) => values.has(name));
  return (
    <SubmitForm
      onSubmit={() => {
        if (isComplete(values)) onChange(writtenValues(chosen, values));
      }}
    >
      <Stack gap="xs">
        {chosen.map((attribute) => {
          const { name, mandatory } = attribute;
          const { value, isCleared } = values.get(name) ?? { value: undefined, isCleared: false };
          const caption = captionOf(model, entityName, name);
          return (
            <Group key={name} gap="xs" align="end" role="group" aria-label={caption}>
              {isCleared ? (
                <Text size="sm">{caption}</Text>
              ) : (
                <ValueField
                  attribute={attribute}
                  label={caption}
                  value={value}
                  onChange={(next) => set(name, { value: next, isCleared })}
                />
              )}
              {!mandatory && (
                <CheckField
                  label={text('change.noValue')}
                  checked={isCleared}
                  onChange={(checked) => set(name, { value, isCleared: checked })}
                />
              )}
              <ActionIcon aria-label={text('change.keep', { name: caption })} onClick={() => set(name, undefined)}>
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          );
        })}
        <Group gap="xs" align="end">
          <ChoiceField
            label={text('change.attribute')}
            value=""
            data={[
              { value: '', label: text('path.choose') },
              ...attributes
                .filter(({ name }) => !values.has(name))
                .map(({ name }) => ({ value: name, label: captionOf(model, entityName, name) })),
            ]}
            onChange={(name) => name !== '' && set(name, { value: undefined, isCleared: false })}
          />
          <Button variant="filled" type="submit" disabled={!isComplete(values)}>
            {text('change.now', { count })}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  );
}
