import { useText } from '../../../context.ts';
import '@mantine/core/styles/Combobox.css';
import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';

/**
 * A select whose options the server finds while words are entered. Its list is in the page from the first focus on:
 * to keep a closed list there, and to find its position, takes longer than the rest of the field.
 */
export function SearchSelect({ comboboxProps, onFocus, ...props }: Omit<SelectProps, 'searchable' | 'filter'>) {
  const text = useText();
  const [isUsed, setUsed] = useState(false);
  return (
    <Select
      searchable
      filter={ALL}
      nothingFoundMessage={text('palette.nothing')}
      {...props}
      comboboxProps={{ ...comboboxProps, keepMounted: isUsed }}
      onFocus={(event) => {
        setUsed(true);
        onFocus?.(event);
      }}
    />
  );
}

/** The server has searched already. */
const ALL: NonNullable<SelectProps['filter']> = ({ options }) => options;
