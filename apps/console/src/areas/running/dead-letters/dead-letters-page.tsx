import { Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { SideDialog } from '../../../controls/side-dialog.tsx';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { notify } from '../../../errors/notify.ts';
import { useShowError } from '../../../errors/use-show-error.ts';
import { useLanguage, useText } from '../../../language/text-provider.tsx';
import { useRights } from '../../../model/model-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { useOperations } from '../operations.ts';
import classes from '../running.module.css';
import { type DeadLetter, readableContent } from './dead-letter.ts';

const LIMIT = 200;
const QUERY = ['dead-letters'];

/** Events that a handler refused: look at them, retry and discard them. */
export function DeadLettersPage() {
  const text = useText();
  const operations = useOperations();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) =>
      operations.get<{ readonly total: number; readonly letters: readonly DeadLetter[] }>(
        `/dead-letters?limit=${LIMIT}`,
        signal,
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const [shown, setShown] = useState<DeadLetter>();
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('running.dead-letters')}</Title>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          {text('action.refresh')}
        </Button>
      </Group>
      {data.letters.length === 0 && <Text>{text('letters.none')}</Text>}
      {data.letters.length > 0 && (
        <>
          <Text size="sm">{text('letters.count', { count: data.total })}</Text>
          <Table.ScrollContainer minWidth={720} type="native" tabIndex={0}>
            <Table aria-label={text('running.dead-letters')} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{text('letters.time')}</Table.Th>
                  <Table.Th>{text('letters.queue')}</Table.Th>
                  <Table.Th>{text('letters.type')}</Table.Th>
                  <Table.Th>{text('letters.subject')}</Table.Th>
                  <Table.Th>{text('letters.actions')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.letters.map((letter) => (
                  <LetterRow key={letter.key} letter={letter} onShow={() => setShown(letter)} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
      <SideDialog
        isOpen={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.type ?? text('letters.noEvent')}
      >
        {shown !== undefined && <LetterContent letter={shown} />}
      </SideDialog>
    </Stack>
  );
}

function LetterRow({ letter, onShow }: { readonly letter: DeadLetter; readonly onShow: () => void }) {
  const { text, locale } = useLanguage();
  const rights = useRights();
  const operations = useOperations();
  const showError = useShowError();
  const queries = useQueryClient();
  const ended = { onError: showError, onSettled: () => queries.invalidateQueries({ queryKey: QUERY }) };
  const path = `/dead-letters/${encodeURIComponent(letter.key)}`;
  const retry = useMutation({
    mutationFn: () => operations.send('POST', `${path}/retry`),
    onSuccess: () => void notify({ message: text('letters.retried'), closeLabel: text('action.close') }),
    ...ended,
  });
  const discard = useMutation({
    mutationFn: () => operations.send('DELETE', path),
    onSuccess: () => void notify({ message: text('letters.discarded'), closeLabel: text('action.close') }),
    ...ended,
  });
  const time = letter.time === null ? '' : new Date(letter.time);
  return (
    <Table.Tr>
      <Table.Td>
        {time === '' ? '' : new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' }).format(time)}
      </Table.Td>
      <Table.Td>{letter.queue ?? letter.service}</Table.Td>
      <Table.Td>{letter.type ?? text('letters.noEvent')}</Table.Td>
      <Table.Td className={classes['wrapped']}>{letter.subject}</Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          {rights.has('dead-letters.content.view') && (
            <Button size="xs" variant="default" onClick={onShow}>
              {text('letters.show')}
            </Button>
          )}
          {rights.has('dead-letters.manage') && (
            <>
              <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
                {text('letters.retry')}
              </Button>
              <ConfirmButton
                label={text('letters.discard')}
                question={text('letters.discardQuestion')}
                loading={discard.isPending}
                onConfirm={() => discard.mutate()}
              />
            </>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function LetterContent({ letter: { key } }: { readonly letter: DeadLetter }) {
  const text = useText();
  const operations = useOperations();
  const { data, error, refetch } = useQuery({
    queryKey: [...QUERY, key],
    queryFn: ({ signal }) =>
      operations.get<{ readonly content: string; readonly truncated: boolean }>(
        `/dead-letters/${encodeURIComponent(key)}`,
        signal,
      ),
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return (
    <>
      <Code block tabIndex={0} className={classes['code']} aria-label={text('letters.content')} role="region">
        {readableContent(data.content)}
      </Code>
      {data.truncated && <Text size="sm">{text('letters.truncated')}</Text>}
    </>
  );
}
