import type { HistoryChange } from '@lintel/client';
import { mayUse, useHistory, useInstance } from '@lintel/react';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { captionOf, formatTime, useLanguage, useModel } from '../../../context.ts';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import classes from '../data.module.css';
import { InstanceTitle } from '../form/instance-title.tsx';
import { nameOfInstance } from '../values/format-value.ts';
import { writeLocalTime } from '../values/local-time.ts';
import { actionsOf, type HistoryAction } from './history-actions.ts';
import { HistoryEntry } from './history-entry.tsx';
import { type HistoryCriteria, HistoryFilter } from './history-filter.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { StateDialog } from './state-dialog.tsx';
import { UndoDialog } from './undo-dialog.tsx';

const PAGE_SIZE = 20;
const INPUT_MS = 300;
/** Changes follow one another within seconds. */

/** The recorded changes of an instance, also of a deleted one. */
export function HistoryPage() {
  const { entity = '', id = '' } = useParams({ strict: false }) as { readonly entity?: string; readonly id?: string };
  const { text } = useLanguage();
  const model = useModel();
  if (!mayUse(model, 'history.read', entity)) return <Alert color="yellow">{text('history.notPermitted')}</Alert>;
  return <InstanceHistory key={`${entity} ${id}`} entity={entity} id={id} />;
}

interface InstanceHistoryProps {
  readonly entity: string;
  readonly id: string;
}

function InstanceHistory({ entity, id }: InstanceHistoryProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { client } = model;
  const [criteria, setCriteria] = useState<HistoryCriteria>({});
  const [wanted] = useDebouncedValue(criteria, INPUT_MS);
  const { changes, error, hasMore, isLoadingMore, more, reload } = useHistory(entity, id, {
    limit: PAGE_SIZE,
    user: wanted.user || undefined,
    attribute: wanted.attribute || undefined,
    from: writeLocalTime(wanted.from ?? ''),
    to: writeLocalTime(wanted.to ?? ''),
  });
  const { instance, isMissing } = useInstance(entity, id, { fetchPlan: '_instance_name' });
  const [open, setOpen] = useState<{ readonly action: HistoryAction; readonly change: HistoryChange }>();
  const timeOf = ({ time }: HistoryChange): string => formatTime(time, locale);
  const close = (): void => setOpen(undefined);
  const name = instance === undefined ? (isMissing ? text('history.deleted') : '') : nameOfInstance(instance);
  return (
    <Stack gap="sm" maw={1080}>
      <InstanceTitle entity={entity} id={id} name={name} isMissing={isMissing} />
      <HistoryFilter entity={entity} criteria={criteria} onChange={setCriteria} />
      {error !== null && <ErrorAlert error={error} onRetry={reload} />}
      {changes === undefined && error === null && <Waiting />}
      {changes?.length === 0 && <Text size="sm">{text('history.none')}</Text>}
      {changes !== undefined && changes.length > 0 && (
        <ol className={classes['changes']} aria-label={text('history.title')}>
          {changes.map((change, at) => (
            <HistoryEntry
              key={change.change}
              entity={entity}
              change={change}
              number={at + 1}
              time={timeOf(change)}
              actions={actionsOf(model, entity, change, isMissing)}
              onAction={(action) => setOpen({ action, change })}
            />
          ))}
        </ol>
      )}
      {hasMore && (
        <Button loading={isLoadingMore} onClick={more}>
          {text('history.more')}
        </Button>
      )}
      {open?.action === 'state' && (
        <StateDialog
          entity={entity}
          title={text('history.stateAt', { name: captionOf(model, entity), time: timeOf(open.change) })}
          subject={[id, open.change.time]}
          load={(fetchPlan, signal) => client.history(entity, id).at(open.change.time, { fetchPlan, signal })}
          onClose={close}
        />
      )}
      {open?.action === 'restore' && (
        <RestoreDialog
          entity={entity}
          id={id}
          time={open.change.time}
          shownTime={timeOf(open.change)}
          onClose={close}
        />
      )}
      {open?.action === 'undo' && <UndoDialog entity={entity} id={id} change={open.change.change} onClose={close} />}
    </Stack>
  );
}
