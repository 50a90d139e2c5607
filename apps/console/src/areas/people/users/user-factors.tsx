import { Group, Stack, Text } from '@mantine/core';
import { formatTime, useApi, useLanguage } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { useAction } from '../api/use-action.ts';

interface Factors {
  readonly factors: readonly {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
  }[];
  readonly recoveryCodes: number;
}

/** The second factors of a user: list and remove. */
export function UserFactors({ username }: { readonly username: string }) {
  const { text, locale } = useLanguage();
  const api = useApi();
  const query = `?${new URLSearchParams({ username })}`;
  const { data, error, refetch } = useRead<Factors>(['people', 'factors', username], 'userSession', '/second-factors', {
    query: { username },
  });
  const remove = useAction((id: string) => api.send('DELETE', 'userSession', `/second-factors/${id}${query}`), {
    done: text('factors.removed'),
  });
  const removeAll = useAction(() => api.send('DELETE', 'userSession', `/second-factors${query}`), {
    done: text('factors.removed'),
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <DataTable
        label={text('user.tab.factors')}
        rows={data.factors}
        empty={text('factors.none')}
        columns={[
          { caption: text('factors.name'), cell: ({ name }) => name },
          { caption: text('factors.kind'), cell: ({ kind }) => text(`factors.kind.${kind}`) },
          { caption: text('factors.created'), cell: ({ createdAt }) => formatTime(createdAt, locale) },
          { caption: text('sessions.used'), cell: ({ lastUsedAt }) => formatTime(lastUsedAt, locale) },
          {
            caption: text('people.actions'),
            cell: ({ id, name }) => (
              <ConfirmButton
                label={text('factors.remove')}
                aria-label={`${text('factors.remove')}: ${name}`}
                question={text('factors.removeText', { name: username })}
                onConfirm={() => remove.mutate(id)}
              />
            ),
          },
        ]}
      />
      {data.factors.length > 0 && (
        <Group>
          <Text size="sm">{text('factors.recoveryCodes', { count: data.recoveryCodes })}</Text>
          <ConfirmButton
            label={text('factors.removeAll')}
            question={text('factors.removeText', { name: username })}
            onConfirm={() => removeAll.mutate()}
          />
        </Group>
      )}
    </Stack>
  );
}
