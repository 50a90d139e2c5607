import { type FoundInstance, idSegment, useLookup } from '@lintel/react';
import { ActionIcon, Group } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../../context.ts';
import { instancePath } from '../../instance-path.ts';
import { nameOfInstance } from '../../values/format-value.ts';
import { SearchSelect } from '../../values/search-select.tsx';
import { useCreation } from '../creation/use-creation.tsx';
import { captionProps, type LabelledFieldProps, useForm } from '../form-context.ts';

/** A reference, found by words of the name of the other instance. */
export function ReferenceField(props: LabelledFieldProps) {
  const { field, value, path, error, label, cellLabel } = props;
  const text = useText();
  const { rights } = useModel();
  const { change, depth } = useForm();
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const { type, mandatory } = field.attribute;
  const current = value as FoundInstance | null | undefined;
  const { found: matching, isLoading, error: failure } = useLookup(type, words, { enabled: isOpen });
  const found = new Map<string, FoundInstance>();
  if (current !== null && current !== undefined) found.set(idSegment(current.id), current);
  for (const each of matching) found.set(idSegment(each.id), each);
  const creation = useCreation({ type, words, isReady: !isLoading, onCreated: (created) => change(path, created) });
  const id = current === null || current === undefined ? null : idSegment(current.id);
  const select = (
    <SearchSelect
      {...captionProps(props)}
      error={error ?? failure?.message}
      flex={1}
      clearable={!mandatory}
      clearButtonProps={{ 'aria-label': text('form.clear', { name: cellLabel ?? label }) }}
      value={id}
      data={[
        ...[...found].map(([key, instance]) => ({ value: key, label: nameOfInstance(instance) })),
        ...creation.options,
      ]}
      {...creation.focusProps}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onSearchChange={(input) =>
        setWords(current !== null && current !== undefined && input === nameOfInstance(current) ? '' : input)
      }
      onChange={(chosen) => {
        if (!creation.open(chosen)) change(path, chosen === null ? null : (found.get(chosen) ?? null));
      }}
    />
  );
  if (cellLabel !== undefined)
    return (
      <>
        {select}
        {creation.form}
      </>
    );
  // The same elements with and without a value: another input would not have the focus.
  return (
    <Group gap={4} align="start" wrap="nowrap">
      {select}
      {/* A form above another one leads to no other page. */}
      {id !== null && depth === 0 && rights.may(type, 'read') && (
        <ActionIcon
          component={Link}
          to={instancePath(type, current?.id)}
          variant="subtle"
          size={34}
          mt={24}
          aria-label={text('form.open', { name: label })}
        >
          <IconExternalLink size={16} />
        </ActionIcon>
      )}
      {creation.form}
    </Group>
  );
}
