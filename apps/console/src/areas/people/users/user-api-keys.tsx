import { formatTime, useApi, useLanguage } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { useAction } from '../api/use-action.ts';

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly resourceRoles: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}

/** The API keys of a user, by default of the user of this tab: list and end. */
export function UserApiKeys({ username }: { readonly username?: string }) {
  const { text, locale } = useLanguage();
  const api = useApi();
  const { data, error, refetch } = useRead<readonly ApiKey[]>(['people', 'keys', username], 'apiKeys', '', {
    query: username === undefined ? undefined : { username },
  });
  const end = useAction((id: string) => api.send('DELETE', 'apiKeys', `/${id}`), { done: text('keys.ended') });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <DataTable
      label={text('user.tab.keys')}
      rows={data}
      empty={text('keys.none')}
      columns={[
        { caption: text('keys.name'), cell: ({ name, hint }) => `${name} (${hint}…)` },
        { caption: text('keys.roles'), cell: ({ resourceRoles }) => resourceRoles.join(', ') },
        { caption: text('factors.created'), cell: ({ createdAt }) => formatTime(createdAt, locale) },
        { caption: text('keys.expires'), cell: ({ expiresAt }) => formatTime(expiresAt, locale) },
        { caption: text('sessions.used'), cell: ({ lastUsedAt }) => formatTime(lastUsedAt, locale) },
        {
          caption: text('people.actions'),
          cell: ({ id, name }) => (
            <ConfirmButton
              label={text('keys.end')}
              aria-label={`${text('keys.end')}: ${name}`}
              question={text('keys.endText', { name })}
              onConfirm={() => end.mutate(id)}
            />
          ),
        },
      ]}
    />
  );
}
