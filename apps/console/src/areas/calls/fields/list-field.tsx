import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useText } from '../../../context.ts';
import { ValueField, type ValueFieldProps } from './value-field.tsx';
import type { ValueType } from './value-type.ts';

/** The elements of a collection, each with a field of its type. */
export function ListField({ label, item, value, error, onChange }: ValueFieldProps & { readonly item: ValueType }) {
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
