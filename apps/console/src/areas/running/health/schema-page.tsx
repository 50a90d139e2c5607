import { Badge, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useText } from '../../../language/text-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { useOperations } from '../operations.ts';
import classes from '../running.module.css';

interface Finding {
  readonly kind: 'missing' | 'extra' | 'different';
  readonly severity: 'problem' | 'notice';
  readonly object: string;
  readonly table: string;
  readonly name?: string;
  readonly expected?: string;
  readonly actual?: string;
}

interface SchemaState {
  readonly fits: boolean;
  readonly migrations: readonly { readonly name: string; readonly state: string }[];
  readonly findings: readonly Finding[];
}

/** Migrations and the differences between the database and the model. */
export function SchemaPage() {
  const text = useText();
  const operations = useOperations();
  const { data, error, refetch } = useQuery({
    queryKey: ['schema'],
    queryFn: ({ signal }) => operations.get<SchemaState>('/schema', signal),
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const { fits, migrations, findings } = data;
  return (
    <Stack>
      <Title order={1}>{text('running.schema')}</Title>
      <Badge color={fits ? 'green' : 'red'} variant="dot" size="lg" tt="none" fw={500}>
        {text(fits ? 'schema.fits' : 'schema.differs')}
      </Badge>
      {findings.length > 0 && (
        <Table.ScrollContainer minWidth={640} type="native" tabIndex={0}>
          <Table aria-label={text('schema.findings')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text('schema.finding')}</Table.Th>
                <Table.Th>{text('schema.object')}</Table.Th>
                <Table.Th>{text('schema.expected')}</Table.Th>
                <Table.Th>{text('schema.actual')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {findings.map((finding) => (
                <Table.Tr key={`${finding.kind} ${finding.object} ${finding.table} ${finding.name ?? ''}`}>
                  <Table.Td>
                    <Badge
                      color={finding.severity === 'problem' ? 'red' : 'gray'}
                      variant="dot"
                      tt="none"
                      fw={500}
                      miw="max-content"
                    >
                      {text(`schema.kind.${finding.kind}`)}
                    </Badge>
                  </Table.Td>
                  <Table.Td>
                    {finding.object} {finding.table} {finding.name}
                  </Table.Td>
                  <Table.Td className={classes['wrapped']}>{finding.expected}</Table.Td>
                  <Table.Td className={classes['wrapped']}>{finding.actual}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Title order={2} size="h4">
        {text('schema.migrations')}
      </Title>
      <Table aria-label={text('schema.migrations')}>
        <Table.Tbody>
          {migrations.map(({ name, state }) => (
            <Table.Tr key={name}>
              <Table.Td className={classes['wrapped']}>{name}</Table.Td>
              <Table.Td>
                <Text size="sm" fw={state === 'executed' ? 400 : 700}>
                  {text(`schema.state.${state}`)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
