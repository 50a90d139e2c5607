import { Button, Group, Stack, Title } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { captionOf, useModel, useText } from '../../context.ts';
import { SearchWords } from '../../controls/search-words.tsx';
import { TextLink } from '../../controls/texts.tsx';
import { Pending } from '../../errors/pending.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { matchesWords } from '../data/matches-words.ts';
import { useMethodInfos, useQueryInfos } from './use-call-infos.ts';

interface Listed {
  readonly key: string;
  readonly to: string;
  readonly name: string;
  readonly of: string;
  readonly parameters: string;
}

/** The predefined queries and the service methods that the user may use. */
export function CallsPage() {
  const text = useText();
  const model = useModel();
  const [words, setWords] = useState('');
  const queries = useQueryInfos();
  const methods = useMethodInfos();
  const error = queries.error ?? methods.error;
  if (error !== null || queries.data === undefined || methods.data === undefined)
    return <Pending error={error} onRetry={() => Promise.all([queries.refetch(), methods.refetch()])} />;
  const found = (listed: readonly Listed[]): readonly Listed[] =>
    listed.filter(({ name, of }) => matchesWords(words, name, of));
  const shownQueries = found(
    queries.data.map(({ name, entityName, params }) => ({
      key: `${entityName} ${name}`,
      to: `/calls/queries/${encodeURIComponent(entityName)}/${encodeURIComponent(name)}`,
      name,
      of: `${captionOf(model, entityName)} (${entityName})`,
      parameters: params.map((each) => each.name).join(', '),
    })),
  );
  const shownMethods = found(
    [
      ...Map.groupBy(methods.data, ({ service, name }) => `${encodeURIComponent(service)}/${encodeURIComponent(name)}`),
    ].map(([path, overloads]) => ({
      key: path,
      to: `/calls/services/${path}`,
      name: overloads[0]?.name ?? '',
      of: overloads[0]?.service ?? '',
      parameters: overloads.map(({ params }) => params.map((each) => each.name).join(', ')).join(' | '),
    })),
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('calls.title')}</Title>
        {methods.data.some(({ longRunning }) => longRunning) && (
          <Button component={Link} to="/calls/runs" leftSection={<IconHistory size={16} />}>
            {text('calls.runs')}
          </Button>
        )}
      </Group>
      <SearchWords label={text('calls.find')} words={words} onChange={setWords} />
      <CallTable
        title={text('calls.queries')}
        of={text('calls.entity')}
        empty={text('calls.noQueries')}
        rows={shownQueries}
      />
      <CallTable
        title={text('calls.methods')}
        of={text('calls.service')}
        empty={text('calls.noMethods')}
        rows={shownMethods}
      />
    </Stack>
  );
}

interface CallTableProps {
  readonly title: string;
  readonly of: string;
  readonly empty: string;
  readonly rows: readonly Listed[];
}

function CallTable({ title, of, empty, rows }: CallTableProps) {
  const text = useText();
  return (
    <div>
      <Title order={2}>{title}</Title>
      <DataTable
        label={title}
        minWidth={480}
        rows={rows}
        keyOf={({ key }) => key}
        empty={empty}
        columns={[
          {
            caption: text('calls.name'),
            cell: ({ to, name }) => <TextLink to={to}>{name}</TextLink>,
          },
          { caption: of, cell: (listed) => listed.of },
          { caption: text('calls.parameters'), cell: ({ parameters }) => parameters },
        ]}
      />
    </div>
  );
}
