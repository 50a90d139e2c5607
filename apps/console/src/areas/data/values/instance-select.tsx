import type { ConditionGroup } from '@lintel/client';
import { type FoundInstance, idSegment, useLookup } from '@lintel/react';
import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { nameOfInstance } from './format-value.ts';

interface InstanceSelectProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly miw: number;
  readonly withAsterisk?: boolean;
  /** The entity of the instances. */
  readonly target: string;
  /** An id, or a list of ids. */
  readonly value: unknown;
  readonly isList: boolean;
  /** Which instances are offered; all without it. */
  readonly filter?: ConditionGroup | undefined;
  readonly description?: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The server has searched already. */
const ALL: OptionsFilter<string> = ({ options }) => options;

/** Chooses instances by words of their names; the value has their ids. */
export function InstanceSelect({ target, value, isList, filter, onChange, ...field }: InstanceSelectProps) {
  const text = useText();
  const { client } = useModel();
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value];
  // The names of ids from an address.
  const known = useQuery({
    queryKey: ['instance-names', target, chosen],
    queryFn: ({ signal }) =>
      client.list(target, {
        fetchPlan: '_instance_name',
        filter: { conditions: [{ property: 'id', operator: 'in', value: chosen }] },
        signal,
      }),
    enabled: chosen.length > 0,
    placeholderData: keepPreviousData,
  });
  const { found: matching, error: failure } = useLookup(target, words, { enabled: isOpen, filter });
  const found = new Map<string, FoundInstance | undefined>(chosen.map((id) => [idSegment(id), undefined]));
  for (const each of [...(known.data ?? []), ...matching] as unknown as readonly FoundInstance[])
    found.set(idSegment(each.id), each);
  const options = [...found].map(([id, each]) => ({
    value: id,
    label: each === undefined ? id : nameOfInstance(each),
  }));
  const labels = new Set(options.map(({ label }) => label));
  const common = {
    ...field,
    ...(failure !== null && { error: failure.message }),
    // In the landmark of its field.
    comboboxProps: { withinPortal: false },
    searchable: true,
    data: options,
    filter: ALL,
    onDropdownOpen: () => setOpen(true),
    onSearchChange: (input: string) => setWords(labels.has(input) ? '' : input),
    nothingFoundMessage: text('palette.nothing'),
  };
  const idOf = (key: string): unknown => found.get(key)?.id ?? chosen.find((id) => idSegment(id) === key);
  return isList ? (
    <MultiSelect {...common} value={chosen.map(idSegment)} onChange={(keys) => onChange(keys.map(idOf))} />
  ) : (
    <Select
      {...common}
      clearable
      value={chosen.length === 0 ? null : idSegment(chosen[0])}
      onChange={(key) => onChange(key === null ? undefined : idOf(key))}
    />
  );
}
