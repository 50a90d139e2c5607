import { useRights, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import type { EventFilter } from './event-filter.ts';

/** Leads to the security events of a role or client, for users who may see them. */
export function HistoryLink({ filter }: { readonly filter: Pick<EventFilter, 'client' | 'role'> }) {
  const text = useText();
  if (!useRights().has('security-events.view')) return null;
  return (
    <TextLink to="/people/logins" search={filter as never}>
      {text('events.history')}
    </TextLink>
  );
}
