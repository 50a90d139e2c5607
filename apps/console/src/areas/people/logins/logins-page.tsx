import { Stack, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useText } from '../../../context.ts';
import { filterOf } from './event-filter.ts';
import { LoginEvents } from './login-events.tsx';

/** Logins and other security events of all users. */
export function LoginsPage() {
  const text = useText();
  const navigate = useNavigate();
  const filter = filterOf(useSearch({ strict: false }) as Readonly<Record<string, unknown>>);
  return (
    <Stack>
      <Title order={1}>{text('people.logins')}</Title>
      <LoginEvents
        filter={filter}
        onFilter={(search) => void navigate({ to: '/people/logins', search: search as never, replace: true })}
      />
    </Stack>
  );
}
