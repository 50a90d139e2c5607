import { Badge } from '@mantine/core';
import { formatTime, useLanguage } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';

interface Attempt {
  readonly at: string;
  readonly outcome: string;
  readonly method: string;
  readonly provider: string | null;
  readonly clientId: string;
  readonly address: string | null;
}

/** The attempts to log in as a user, by default that of this tab, the newest first. */
export function UserHistory({ username }: { readonly username?: string }) {
  const { text, locale } = useLanguage();
  const { data, error, refetch } = useRead<readonly Attempt[]>(
    ['people', 'history', username],
    'userSession',
    '/history',
    {
      query: {
        ...(username !== undefined && { username }),
        limit: '200',
      },
    },
  );
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <DataTable
      label={text('user.tab.history')}
      rows={data}
      keyOf={({ at, outcome, clientId }) => `${at} ${outcome} ${clientId}`}
      empty={text('history.none')}
      columns={[
        { caption: text('history.at'), cell: ({ at }) => formatTime(at, locale) },
        {
          caption: text('history.outcome'),
          cell: ({ outcome }) => (
            <Badge color={outcome === 'succeeded' ? 'green' : 'red'}>{text(`history.outcome.${outcome}`)}</Badge>
          ),
        },
        {
          caption: text('history.method'),
          cell: ({ method, provider }) =>
            `${text(`history.method.${method}`)}${provider === null ? '' : ` (${provider})`}`,
        },
        { caption: text('sessions.client'), cell: ({ clientId }) => clientId },
        { caption: text('history.address'), cell: ({ address }) => address },
      ]}
    />
  );
}
