import { Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useRights } from '../../../context.ts';
import { TextField } from '../../../controls/forms.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { SendButton } from '../send-button.tsx';

/** An event handler of the application, and what waits for it. */
interface EventHandler {
  readonly name: string;
  readonly on: string;
  readonly paused: boolean;
  readonly waiting: number;
  readonly deadLetters: number;
}

const HANDLERS = ['event-handlers'];
const INTERVAL_MS = 5_000;

/** The event handlers of the application: what waits for them, pause, replay. */
export function HandlersPage() {
  const { text } = useLanguage();
  const mayManage = useRights().has('event-handlers.manage');
  const [since, setSince] = useState('');
  const { data, error, refetch } = useRead<readonly EventHandler[]>(HANDLERS, 'operations', '/event-handlers', {
    staleTime: 0,
    refetchInterval: INTERVAL_MS,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Title order={1}>{text('running.handlers')}</Title>
      {mayManage && data.length > 0 && (
        <TextField type="datetime-local" maw={260} label={text('handlers.since')} value={since} onChange={setSince} />
      )}
      <DataTable
        label={text('running.handlers')}
        minWidth={640}
        rows={data}
        keyOf={({ name }) => name}
        empty={text('handlers.none')}
        columns={[
          { caption: text('handlers.name'), cell: ({ name }) => name },
          { caption: text('handlers.on'), cell: ({ on }) => on },
          { caption: text('handlers.waiting'), cell: ({ waiting }) => waiting },
          { caption: text('running.dead-letters'), cell: ({ deadLetters }) => deadLetters },
          {
            caption: text('handlers.state'),
            cell: ({ paused }) => text(paused ? 'handlers.paused' : 'handlers.active'),
          },
          ...(mayManage
            ? [
                {
                  caption: text('letters.actions'),
                  cell: (handler: EventHandler) => <Actions handler={handler} since={since} />,
                },
              ]
            : []),
        ]}
      />
    </Stack>
  );
}

function Actions({ handler: { name, paused }, since }: { readonly handler: EventHandler; readonly since: string }) {
  const { text } = useLanguage();
  const path = `/event-handlers/${encodeURIComponent(name)}`;
  return (
    <Group gap="xs">
      <SendButton
        method="PUT"
        path={path}
        json={{ paused: !paused }}
        label={text(paused ? 'handlers.continue' : 'handlers.pause')}
        done={text(paused ? 'handlers.continue.done' : 'handlers.pause.done')}
        reads={HANDLERS}
      />
      {since !== '' && (
        <SendButton
          method="PUT"
          path={path}
          json={{ replayFrom: new Date(since).toISOString() }}
          label={text('handlers.replay')}
          question={text('handlers.replayQuestion')}
          done={text('handlers.replay.done')}
          reads={HANDLERS}
        />
      )}
    </Group>
  );
}
