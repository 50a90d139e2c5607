import { Badge, Stack, Text, Title } from '@mantine/core';
import { useText } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { PlainTable } from '../../../table/plain-table.tsx';
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
  const { data, error, refetch } = useRead<SchemaState>(['schema'], 'operations', '/schema');
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const { fits, migrations, findings } = data;
  return (
    <Stack>
      <Title order={1}>{text('running.schema')}</Title>
      <Badge color={fits ? 'green' : 'red'} size="lg">
        {text(fits ? 'schema.fits' : 'schema.differs')}
      </Badge>
      {findings.length > 0 && (
        <DataTable
          label={text('schema.findings')}
          minWidth={640}
          rows={findings}
          keyOf={({ kind, object, table, name }) => `${kind} ${object} ${table} ${name ?? ''}`}
          empty=""
          columns={[
            {
              caption: text('schema.finding'),
              cell: ({ kind, severity }) => (
                <Badge color={severity === 'problem' ? 'red' : 'gray'}>{text(`schema.kind.${kind}`)}</Badge>
              ),
            },
            {
              caption: text('schema.object'),
              cell: ({ object, table, name }) => [object, table, name].filter(Boolean).join(' '),
            },
            {
              caption: text('schema.expected'),
              cell: ({ expected }) => <span className={classes['wrapped']}>{expected}</span>,
            },
            {
              caption: text('schema.actual'),
              cell: ({ actual }) => <span className={classes['wrapped']}>{actual}</span>,
            },
          ]}
        />
      )}
      <Title order={2}>{text('schema.migrations')}</Title>
      <PlainTable label={text('schema.migrations')}>
        <tbody>
          {migrations.map(({ name, state }) => (
            <tr key={name}>
              <td className={classes['wrapped']}>{name}</td>
              <td>
                <Text size="sm" fw={state === 'executed' ? 400 : 700}>
                  {text(`schema.state.${state}`)}
                </Text>
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Stack>
  );
}
