import { ChoiceField, TextField } from '../../../controls/forms.tsx';
import { ErrorAlert, Pending } from '../../../errors/pending.tsx';
import '@mantine/core/styles/List.css';
import '@mantine/core/styles/SimpleGrid.css';
import { type HistoryChange, rehearse } from '@lintel/client';
import { mayUse, useHistory, useHistoryWrites, useInstance } from '@lintel/react';
import { Alert, Button, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { captionOf, formatTime, useLanguage, useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import { notify } from '../../../errors/notify.ts';
import classes from '../data.module.css';
import { InstanceTitle } from '../form/instance-title.tsx';
import { instancePath } from '../instance-path.ts';
import { RehearsedDialog } from '../undo/rehearsed-dialog.tsx';
import { undoConflicts, WHOLE } from '../undo/undo-conflicts.ts';
import { nameOfInstance } from '../values/format-value.ts';
import { writeLocalTime } from '../values/local-time.ts';
import { ChangeTable } from './change-table.tsx';
import { actionsOf, type HistoryAction, searchableAttributes } from './history-actions.ts';
import { HistoryEntry } from './history-entry.tsx';
import { rehearsedRows } from './rehearsed-rows.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { StateDialog } from './state-dialog.tsx';

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
      {(error !== null || changes === undefined) && <Pending error={error} onRetry={reload} />}
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

/** Which changes are shown; times are local, as inputs have them. */
interface HistoryCriteria {
  readonly user?: string;
  readonly attribute?: string;
  readonly from?: string;
  readonly to?: string;
}

interface HistoryFilterProps {
  readonly entity: string;
  readonly criteria: HistoryCriteria;
  readonly onChange: (criteria: HistoryCriteria) => void;
}

/** Inputs for the user, the attribute and the time of changes. */
function HistoryFilter({ entity, criteria, onChange }: HistoryFilterProps) {
  const text = useText();
  const model = useModel();
  const change = (part: HistoryCriteria): void => onChange({ ...criteria, ...part });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <TextField
        label={text('history.user')}
        value={criteria.user ?? ''}
        maxLength={255}
        onChange={(value) => change({ user: value })}
      />
      <ChoiceField
        label={text('history.attribute')}
        value={criteria.attribute ?? ''}
        data={[
          { value: '', label: text('history.allAttributes') },
          ...searchableAttributes(model, entity).map((name) => ({
            value: name,
            label: captionOf(model, entity, name),
          })),
        ]}
        onChange={(value) => change({ attribute: value })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          type="datetime-local"
          label={text(`history.${name}`)}
          value={criteria[name] ?? ''}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
    </SimpleGrid>
  );
}

interface UndoDialogProps {
  readonly entity: string;
  readonly id: string;
  readonly change: string;
  readonly onClose: () => void;
}

/** Takes a change back as a whole, after showing what this would change, or what has changed since. */
function UndoDialog({ entity, id, change, onClose }: UndoDialogProps) {
  const text = useText();
  const model = useModel();
  const { undo } = useHistoryWrites();
  return (
    <RehearsedDialog
      title={text('undo.title')}
      question={text('undo.question')}
      confirm={text('undo.now')}
      subject={['undo', change]}
      preview={() => rehearse(model.client, (dry) => dry.history().undo(change))}
      show={({ changes }) => (
        <ChangeTable label={text('restore.changes')} rows={rehearsedRows(model, changes, { entity, id })} />
      )}
      showError={(error) => <UndoFailure error={error} />}
      onConfirm={async () => {
        await undo(change);
        notify({ message: text('undo.done'), closeLabel: text('action.close') });
      }}
      onClose={onClose}
    />
  );
}

/** Why a change cannot be taken back: what has changed since, in words. */
function UndoFailure({ error }: { readonly error: unknown }) {
  const text = useText();
  const model = useModel();
  const conflicts = undoConflicts(model, error);
  if (conflicts.length === 0) return <ErrorAlert error={error} />;
  return (
    <Alert color="red" role="alert" title={text('undo.refused')}>
      <Text size="sm">{text('undo.conflicts')}</Text>
      <List size="sm">
        {conflicts.map(({ entity, id, parts }) => (
          <List.Item key={`${entity} ${id}`}>
            <TextLink to={instancePath(entity, id)} c="inherit" underline="always">
              {captionOf(model, entity)}
            </TextLink>
            : {parts.map((part) => (WHOLE.has(part) ? text(`undo.${part}`) : part)).join(', ')}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
