import { Anchor, Code, Stack, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { formatTime, useLanguage } from '../../../context.ts';
import { Hint } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { useOperationLinks } from '../operations.ts';
import classes from '../running.module.css';

interface SlowStatement {
  readonly process: string;
  readonly pool: string;
  readonly statement: string | null;
  readonly text: string;
  readonly count: number;
  readonly lastAt: string;
  readonly lastMs: number;
  readonly maxMs: number;
  readonly traceId: string | null;
  readonly plan: string | null;
}

/** Slow statements of all processes. */
export function StatementsPage() {
  const { text, locale } = useLanguage();
  const { data, error, refetch } = useRead<readonly SlowStatement[]>(['statements'], 'operations', '/slow-statements', {
    placeholderData: keepPreviousData,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const count = new Intl.NumberFormat(locale);
  return (
    <Stack>
      <Title order={1}>{text('running.statements')}</Title>
      <DataTable
        label={text('running.statements')}
        minWidth={720}
        rows={data}
        keyOf={(one) => `${one.process} ${one.pool} ${one.statement ?? one.text}`}
        columns={[
          { caption: text('statements.last'), cell: (one) => formatTime(one.lastAt, locale) },
          { caption: text('statements.count'), cell: (one) => count.format(one.count) },
          { caption: text('statements.max'), cell: (one) => count.format(one.maxMs) },
          { caption: text('statements.text'), cell: (one) => <StatementText statement={one} /> },
        ]}
        empty={text('statements.none')}
      />
    </Stack>
  );
}

/** The text with its process, and with trace and plan if there are any. */
function StatementText({ statement }: { readonly statement: SlowStatement }) {
  const { text } = useLanguage();
  const { traces } = useOperationLinks();
  const { process, pool, traceId, plan } = statement;
  return (
    <div className={classes['wrapped']}>
      <Hint>
        {process} · {pool}
      </Hint>
      {traces && traceId !== null && (
        <Anchor
          size="xs"
          href={traces.replaceAll('{traceId}', encodeURIComponent(traceId))}
          target="_blank"
          rel="noreferrer"
        >
          {text('statements.trace')}
        </Anchor>
      )}
      <Code>{statement.text}</Code>
      {plan !== null && (
        <Code block tabIndex={0}>
          {plan}
        </Code>
      )}
    </div>
  );
}
