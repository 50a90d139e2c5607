import { Badge, Group, Stack, Text } from '@mantine/core';
import { formatTime, useApi, useLanguage, useModel } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { useAction } from '../api/use-action.ts';

interface UserSession {
  readonly id: string;
  readonly clientId: string;
  readonly startedAt: string;
  readonly lastUsedAt: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly current: boolean;
}

/** The logins of a user, by default of the user of this tab: list and end. */
export function UserSessions({ username }: { readonly username?: string }) {
  const { text, locale } = useLanguage();
  const api = useApi();
  const { user } = useModel();
  const query = username === undefined ? undefined : { username };
  const name = username ?? user.username;
  const { data, error, refetch } = useRead<readonly UserSession[]>(['people', 'sessions', name], 'userSession', '', {
    query,
  });
  const end = useAction((id: string) => api.send('DELETE', 'userSession', `/${encodeURIComponent(id)}`), {
    done: text('sessions.ended'),
  });
  const endAll = useAction(
    () => api.send<{ ended: number }>('DELETE', 'userSession', `?${new URLSearchParams(query)}`),
    { done: text('sessions.ended') },
  );
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <DataTable
        label={text('user.tab.sessions')}
        rows={data}
        empty={text('sessions.none')}
        columns={[
          {
            caption: text('sessions.client'),
            cell: ({ clientId, current }) => (
              <Group gap={6}>
                {clientId}
                {current && <Badge color="green">{text('sessions.current')}</Badge>}
              </Group>
            ),
          },
          { caption: text('sessions.started'), cell: ({ startedAt }) => formatTime(startedAt, locale) },
          { caption: text('sessions.used'), cell: ({ lastUsedAt }) => formatTime(lastUsedAt, locale) },
          {
            caption: text('sessions.from'),
            cell: ({ address, userAgent }) => (
              <Text size="xs" title={userAgent ?? ''} lineClamp={2} maw={260}>
                {[address, userAgent].filter(Boolean).join(' · ')}
              </Text>
            ),
          },
          {
            caption: text('people.actions'),
            cell: ({ id, clientId }) => (
              <ConfirmButton
                label={text('sessions.end')}
                aria-label={`${text('sessions.end')}: ${clientId}`}
                question={text('sessions.endText', { name })}
                onConfirm={() => end.mutate(id)}
              />
            ),
          },
        ]}
      />
      {data.length > 1 && (
        <Group>
          <ConfirmButton
            label={text('sessions.endAll')}
            question={text('sessions.endAllText', { name })}
            action={endAll}
          />
        </Group>
      )}
    </Stack>
  );
}
