import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconHistory, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useRights, useText } from '../../context.ts';
import { PageCards } from '../../controls/page-cards.tsx';
import { SearchWords } from '../../controls/search-words.tsx';
import { Pending } from '../../errors/pending.tsx';
import { CreateReport } from './definition/create-report.tsx';
import { DELIVERY } from './deliveries/delivery.ts';
import { REPORT } from './stored/stored-report.ts';

/** The reports that the user may run. */
export function ReportsPage() {
  const text = useText();
  const client = useClient();
  const rights = useRights();
  const [words, setWords] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['reports'],
    queryFn: ({ signal }) => client.reports.list({ signal }),
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const shown = data.filter(({ name, code = '' }) => `${name} ${code}`.toLowerCase().includes(words.toLowerCase()));
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('reports.title')}</Title>
        <Group gap="xs">
          {rights.may(REPORT, 'create') && <CreateReport />}
          {rights.may(DELIVERY, 'read') && (
            <Button component={Link} to="/reports/deliveries" leftSection={<IconMail size={16} />}>
              {text('reports.deliveries')}
            </Button>
          )}
          <Button component={Link} to="/reports/runs" leftSection={<IconHistory size={16} />}>
            {text('reports.runs')}
          </Button>
        </Group>
      </Group>
      <SearchWords label={text('reports.find')} words={words} onChange={setWords} />
      {shown.length === 0 && <Text>{text(data.length === 0 ? 'reports.none' : 'reports.notFound')}</Text>}
      <PageCards pages={shown.map(({ id, name, code }) => ({ to: `/reports/${id}`, name, about: code ?? id }))} />
    </Stack>
  );
}
