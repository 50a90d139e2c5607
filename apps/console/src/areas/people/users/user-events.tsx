import { useState } from 'react';
import { type EventFilter, LoginEvents } from '../logins/login-events.tsx';

/** The security events of one user. */
export function UserEvents({ username }: { readonly username: string }) {
  const [filter, setFilter] = useState<EventFilter>({});
  return <LoginEvents ofUser filter={{ ...filter, user: username }} onFilter={setFilter} />;
}
