import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { formatTime, useLanguage, useRights, useText } from '../../../context.ts';
import { readableJson } from '../../../controls/readable-json.ts';
import { SideDialog } from '../../../controls/side-dialog.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import classes from '../running.module.css';
import { SendButton } from '../send-button.tsx';

/** A dead letter of the list. */
interface DeadLetter {
  readonly key: string;
  readonly service: string;
  readonly id: string | null;
  readonly type: string | null;
  readonly subject: string | null;
  readonly queue: string | null;
  readonly reason: string | null;
  readonly time: string | null;
}

const LIMIT = 200;
const QUERY = ['dead-letters'];

/** Events that a handler refused: look at them, retry and discard them. */
export function DeadLettersPage() {
  const { text, locale } = useLanguage();
  const { data, error, refetch, isFetching } = useRead<{
    readonly total: number;
    readonly letters: readonly DeadLetter[];
  }>(QUERY, 'operations', `/dead-letters?limit=${LIMIT}`, { placeholderData: keepPreviousData, staleTime: 0 });
  const [shown, setShown] = useState<DeadLetter>();
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('running.dead-letters')}</Title>
        <Button leftSection={<IconRefresh size={16} />} loading={isFetching} onClick={() => void refetch()}>
          {text('action.refresh')}
        </Button>
      </Group>
      {data.letters.length > 0 && <Text size="sm">{text('letters.count', { count: data.total })}</Text>}
      <DataTable
        label={text('running.dead-letters')}
        minWidth={720}
        rows={data.letters}
        keyOf={({ key }) => key}
        empty={text('letters.none')}
        columns={[
          {
            caption: text('letters.time'),
            cell: ({ time }) => formatTime(time, locale),
          },
          { caption: text('letters.queue'), cell: ({ queue, service }) => queue ?? service },
          { caption: text('letters.type'), cell: ({ type }) => type ?? text('letters.noEvent') },
          {
            caption: text('letters.subject'),
            cell: ({ subject }) => <span className={classes['wrapped']}>{subject}</span>,
          },
          {
            caption: text('letters.actions'),
            cell: (letter) => <LetterActions letter={letter} onShow={() => setShown(letter)} />,
          },
        ]}
      />
      {shown !== undefined && (
        <SideDialog onClose={() => setShown(undefined)} title={shown.type ?? text('letters.noEvent')}>
          <LetterContent letter={shown} />
        </SideDialog>
      )}
    </Stack>
  );
}

/** What the user may do with an event: look at its content, retry it, discard it. */
function LetterActions({ letter, onShow }: { readonly letter: DeadLetter; readonly onShow: () => void }) {
  const text = useText();
  const rights = useRights();
  const path = `/dead-letters/${encodeURIComponent(letter.key)}`;
  return (
    <Group gap="xs" wrap="nowrap">
      {rights.has('dead-letters.content.view') && (
        <Button size="xs" onClick={onShow}>
          {text('letters.show')}
        </Button>
      )}
      {rights.has('dead-letters.manage') && (
        <>
          <SendButton
            path={`${path}/retry`}
            label={text('letters.retry')}
            done={text('letters.retried')}
            reads={QUERY}
          />
          <SendButton
            method="DELETE"
            path={path}
            label={text('letters.discard')}
            question={text('letters.discardQuestion')}
            done={text('letters.discarded')}
            reads={QUERY}
          />
        </>
      )}
    </Group>
  );
}

function LetterContent({ letter: { key } }: { readonly letter: DeadLetter }) {
  const text = useText();
  const { data, error, refetch } = useRead<{ readonly content: string; readonly truncated: boolean }>(
    [...QUERY, key],
    'operations',
    `/dead-letters/${encodeURIComponent(key)}`,
  );
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <>
      <Code block tabIndex={0} className={classes['code']} aria-label={text('letters.content')} role="region">
        {readableJson(data.content)}
      </Code>
      {data.truncated && <Text size="sm">{text('letters.truncated')}</Text>}
    </>
  );
}
