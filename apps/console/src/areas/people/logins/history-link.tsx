import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRights, useText } from '../../../context.ts';
import type { EventFilter } from './event-filter.ts';

/** Leads to the security events of a role or client, for users who may see them. */
export function HistoryLink({ filter }: { readonly filter: Pick<EventFilter, 'client' | 'role'> }) {
  const text = useText();
  if (!useRights().has('security-events.view')) return null;
  return (
    <Anchor component={Link} to="/people/logins" search={filter as never} size="sm">
      {text('events.history')}
    </Anchor>
  );
}
