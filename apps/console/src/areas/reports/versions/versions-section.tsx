import { Button, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { formatTime, useLanguage } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { useVersions } from './report-versions.ts';
import { VersionPanel } from './version-panel.tsx';

/** The versions of a report: what each has changed, by whom, and the way back. */
export function VersionsSection({ report }: { readonly report: string }) {
  const { text, locale } = useLanguage();
  const [shown, setShown] = useState<number>();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useVersions(report);
  const versions = data?.pages.flat() ?? [];
  const chosen = versions.find(({ number }) => number === shown);
  return (
    <Stack gap="sm">
      <Title order={2}>{text('versions.title')}</Title>
      {(error !== null || data === undefined) && <Pending error={error} onRetry={refetch} />}
      {data !== undefined && (
        <DataTable
          label={text('versions.title')}
          rows={versions}
          keyOf={({ number }) => String(number)}
          empty={text('versions.none')}
          columns={[
            { caption: text('versions.number'), cell: ({ number }) => number },
            { caption: text('versions.savedAt'), cell: ({ createdAt }) => formatTime(createdAt, locale) },
            { caption: text('versions.savedBy'), cell: ({ username }) => username },
            { caption: text('versions.comment'), wraps: true, cell: ({ comment }) => comment },
            {
              caption: text('runs.actions'),
              cell: ({ number }) => (
                <Button
                  size="xs"
                  aria-label={text('versions.showOf', { number })}
                  aria-expanded={shown === number}
                  onClick={() => setShown(shown === number ? undefined : number)}
                >
                  {text('versions.show')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {hasNextPage && (
        <div>
          <Button size="xs" variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text('versions.more')}
          </Button>
        </div>
      )}
      {chosen !== undefined && (
        <VersionPanel
          key={chosen.number}
          report={report}
          version={chosen}
          isNewest={chosen.number === versions[0]?.number}
        />
      )}
    </Stack>
  );
}
