import '@mantine/core/styles/Combobox.css';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { idSegment } from '../instance-path.ts';
import { nameOfInstance } from '../values/format-value.ts';
import type { FieldProps } from './field.tsx';

const SHOWN = 20;
const WAIT_MS = 200;

interface Found {
  readonly id: unknown;
  readonly _instanceName?: string;
}

/** A reference, found by words of the name of the other instance. */
export function ReferenceField({ field, value, error, label, onChange }: FieldProps & { readonly label: string }) {
  const text = useText();
  const { client, entities } = useModel();
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const [searched] = useDebouncedValue(words, WAIT_MS);
  const target = field.attribute.type;
  const current = value as Found | null | undefined;
  const names = useQuery({
    queryKey: ['instance-name', target],
    queryFn: async () => {
      const plan = await client.metadata.fetchPlan(target, '_instance_name');
      const texts = new Set(
        entities
          .get(target)
          ?.properties.filter(
            ({ attributeType, type, persistent }) => attributeType === 'DATATYPE' && type === 'string' && persistent,
          )
          .map(({ name }) => name),
      );
      return plan.properties.filter((each) => typeof each === 'string').filter((name) => texts.has(name));
    },
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error: failure } = useQuery({
    queryKey: ['lookup', target, searched, names.data],
    queryFn: ({ signal }) =>
      client.list(target, {
        fetchPlan: '_instance_name',
        limit: SHOWN,
        signal,
        ...(searched !== '' &&
          names.data !== undefined &&
          names.data.length > 0 && {
            filter: {
              group: 'OR',
              conditions: names.data.map((property) => ({ property, operator: 'contains', value: searched })),
            },
          }),
      }),
    enabled: names.data !== undefined,
    placeholderData: keepPreviousData,
  });
  const found = new Map<string, Found>();
  if (current !== null && current !== undefined) found.set(idSegment(current.id), current);
  for (const each of (data ?? []) as readonly Found[]) found.set(idSegment(each.id), each);
  return (
    <Select
      label={label}
      withAsterisk={field.attribute.mandatory}
      error={error ?? (failure === null ? undefined : failure.message)}
      searchable
      clearable={!field.attribute.mandatory}
      clearButtonProps={{ 'aria-label': text('form.clear', { name: label }) }}
      value={current === null || current === undefined ? null : idSegment(current.id)}
      data={[...found].map(([id, instance]) => ({ value: id, label: nameOfInstance(instance) }))}
      // The server has searched already.
      filter={({ options }) => options}
      onDropdownOpen={() => setOpen(true)}
      onSearchChange={(input) =>
        setWords(current !== null && current !== undefined && input === nameOfInstance(current) ? '' : input)
      }
      nothingFoundMessage={text('palette.nothing')}
      onChange={(id) => onChange(id === null ? null : (found.get(id) ?? null))}
    />
  );
}
