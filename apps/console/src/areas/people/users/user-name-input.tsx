import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { useModel } from '../../../context.ts';
import { filterOfUsers } from './filter-of-users.ts';
import type { User } from './user.ts';

interface UserNameInputProps {
  readonly label: string;
  readonly description?: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (username: string) => void;
  readonly style?: CSSProperties;
}

const SEARCH_AFTER_MS = 200;
const MAX = 20;

/** The name of a user; users whom the caller may read are offered by words of their names. */
export function UserNameInput({ value, onChange, ...field }: UserNameInputProps) {
  const { client, rights } = useModel();
  const [words] = useDebouncedValue(value, SEARCH_AFTER_MS);
  const { data = [] } = useQuery({
    queryKey: ['people', 'user-names', words],
    enabled: rights.may('sec_User', 'read'),
    queryFn: async ({ signal }) => {
      const filter = filterOfUsers(words, (name) => rights.mayView('sec_User', name));
      const options = { filter, fetchPlan: '_base', sort: 'username', limit: MAX, signal } as const;
      return (await client.list('sec_User', options)) as unknown as readonly User[];
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Autocomplete
      {...field}
      value={value}
      onChange={onChange}
      // The server has searched already, in more than the user name.
      filter={({ options }) => options}
      data={data.map(({ username }) => username)}
      renderOption={({ option }) => {
        const { firstName, lastName } = data.find(({ username }) => username === option.value) ?? {};
        return [option.value, [firstName, lastName].filter(Boolean).join(' ')].filter(Boolean).join(' · ');
      }}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
