import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useLanguage } from '../../../language/text-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { PlainTable } from '../../../table/plain-table.tsx';
import { useVersions } from './report-versions.ts';
import { VersionPanel } from './version-panel.tsx';

/** The versions of a report: what each has changed, by whom, and the way back. */
export function VersionsSection({ report }: { readonly report: string }) {
  const { text, locale } = useLanguage();
  const [shown, setShown] = useState<number>();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useVersions(report);
  const versions = data?.pages.flat() ?? [];
  const chosen = versions.find(({ number }) => number === shown);
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {text('versions.title')}
      </Title>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && versions.length === 0 && <Text size="sm">{text('versions.none')}</Text>}
      {versions.length > 0 && (
        <PlainTable label={text('versions.title')} minWidth={480}>
          <thead>
            <tr>
              <th scope="col">{text('versions.number')}</th>
              <th scope="col">{text('versions.savedAt')}</th>
              <th scope="col">{text('versions.savedBy')}</th>
              <th scope="col">{text('versions.comment')}</th>
              <th scope="col">{text('runs.actions')}</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ number, createdAt, username, comment }) => (
              <tr key={number}>
                <td>{number}</td>
                <td>{format.format(new Date(createdAt))}</td>
                <td>{username}</td>
                <td style={{ overflowWrap: 'anywhere' }}>{comment}</td>
                <td>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={text('versions.showOf', { number })}
                    aria-expanded={shown === number}
                    onClick={() => setShown(shown === number ? undefined : number)}
                  >
                    {text('versions.show')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
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
