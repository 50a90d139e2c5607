import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

interface SearchWordsProps {
  readonly label: string;
  readonly words: string;
  readonly onChange: (words: string) => void;
}

/** The field above a list for words that its entries have. */
export const SearchWords = ({ label, words, onChange }: SearchWordsProps) => (
  <TextInput
    value={words}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    leftSection={<IconSearch size={16} />}
    aria-label={label}
    placeholder={label}
    maw={420}
  />
);
