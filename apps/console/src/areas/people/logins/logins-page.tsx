import { Stack, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useText } from '../../../language/text-provider.tsx';
import { type EventFilter, LoginEvents } from './login-events.tsx';

const NAMES = ['user', 'client', 'role', 'kind', 'from', 'to'] as const;

/** The filter in the address; a name of digits alone is read as a number. */
export const filterOf = (search: Readonly<Record<string, unknown>>): EventFilter =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
    }),
  );

/** Logins and other security events of all users. */
export function LoginsPage() {
  const text = useText();
  const navigate = useNavigate();
  const filter = filterOf(useSearch({ strict: false }) as Readonly<Record<string, unknown>>);
  return (
    <Stack>
      <Title order={1} size="h2">
        {text('people.logins')}
      </Title>
      <LoginEvents
        filter={filter}
        onFilter={(search) => void navigate({ to: '/people/logins', search: search as never, replace: true })}
      />
    </Stack>
  );
}
