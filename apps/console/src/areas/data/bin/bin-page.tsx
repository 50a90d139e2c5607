import { rehearse } from '@lintel/client';
import {
  conditionsOfWords,
  idSegment,
  mayUse,
  searchNamesOf,
  useEntityPages,
  useHistoryWrites,
  valueAt,
} from '@lintel/react';
import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import { TextField } from '../../../controls/forms.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { notify } from '../../../errors/notify.ts';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { AffectedRecords } from '../deletion/affected-records.tsx';
import { StateDialog } from '../history/state-dialog.tsx';
import { instancePath } from '../instance-path.ts';
import { firstColumnsOf, isSystem } from '../list/columns.ts';
import { ListFooter } from '../list/list-footer.tsx';
import { keptList } from '../list/list-memory.ts';
import type { Row } from '../list/row.ts';
import { useSelection } from '../list/use-selection.ts';
import { planOf } from '../paths/plan-of.ts';
import { RehearsedDialog } from '../undo/rehearsed-dialog.tsx';
import { formatValue, nameOfInstance } from '../values/format-value.ts';
import { BinSelection, type BinWrite } from './bin-selection.tsx';

const PAGE_SIZE = 50;
const INPUT_MS = 300;
/** Columns besides the name, and when and by whom it was deleted. */
const SHOWN = 2;
const DELETION = ['deletedDate', 'deletedBy'];

type Action = 'show' | BinWrite;

/** The soft-deleted instances of an entity. */
export function BinPage() {
  const { entity = '' } = useParams({ strict: false }) as { readonly entity?: string };
  const { text } = useLanguage();
  const model = useModel();
  const info = model.entities.get(entity);
  if (info === undefined || !mayUse(model, 'bin.read', entity))
    return <Alert color="yellow">{text('bin.notPermitted')}</Alert>;
  return <Bin key={entity} entity={entity} />;
}

function Bin({ entity }: { readonly entity: string }) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { entities, enums, rights, isSeen } = model;
  const [words, setWords] = useState('');
  const [sought] = useDebouncedValue(words, INPUT_MS);
  const [open, setOpen] = useState<{ readonly action: Action; readonly row: Row }>();
  const { columns, hasTime, names } = useMemo(() => {
    const info = entities.get(entity);
    const shown =
      info === undefined
        ? []
        : firstColumnsOf(info, model).filter(
            ({ path }) => !isSystem(path) && info.nameAttributes.includes(path) === false,
          );
    const has = (name: string): boolean =>
      info?.properties.some((each) => each.name === name) === true && rights.mayView(entity, name);
    const deletion = (info?.properties ?? []).filter(({ name }) => DELETION.includes(name) && has(name));
    const own = shown.filter(({ path }) => !DELETION.includes(path)).slice(0, SHOWN);
    return {
      columns: [
        ...own.map(({ path, caption, attribute }) => ({ path, caption, attribute })),
        ...deletion.map((attribute) => ({
          path: attribute.name,
          caption: captionOf(model, entity, attribute.name),
          attribute,
        })),
      ],
      hasTime: has('deletedDate'),
      names: searchNamesOf(model, entity),
    };
  }, [model, entities, rights, entity]);
  const filter = { conditions: [...conditionsOfWords(sought, names)] };
  const selection = useSelection(JSON.stringify([entity, filter]));
  const pages = useEntityPages(entity, {
    fetchPlan: planOf(columns.map(({ path }) => path)),
    filter,
    ...(hasTime && { sort: '-deletedDate' }),
    limit: PAGE_SIZE,
    count: 'estimated',
    deleted: 'only',
  });
  const may = (action: BinWrite): boolean =>
    isSeen !== true &&
    mayUse(model, `bin.${action}`, entity) &&
    rights.may(entity, action === 'restore' ? 'update' : 'delete');
  const binWrites = (['restore', 'purge'] as const).filter(may);
  const actions: readonly Action[] = ['show', ...binWrites];
  const rows = pages.items as readonly Row[] | undefined;
  return (
    <Stack gap="sm">
      <div>
        <TextLink to={`/data/${entity}`} search={keptList(model.user.username, entity) as never}>
          {captionOf(model, entity)}
        </TextLink>
        <Title order={1}>{text('bin.title', { name: captionOf(model, entity) })}</Title>
      </div>
      {names.length > 0 && (
        <TextField type="search" maw={360} label={text('list.search')} value={words} onChange={setWords} />
      )}
      {(pages.error !== null || rows === undefined) && <Pending error={pages.error} onRetry={pages.reload} />}
      {rows !== undefined && (
        <>
          {(selection.isAll || selection.rows.length > 0) && (
            <BinSelection entity={entity} selection={selection} filter={filter} actions={binWrites} />
          )}
          <DataTable
            label={text('bin.title', { name: captionOf(model, entity) })}
            rows={rows}
            keyOf={({ id }) => idSegment(id)}
            empty={text(sought === '' ? 'bin.empty' : 'list.noMatch')}
            isBusy={pages.isStale}
            columns={[
              ...(binWrites.length === 0
                ? []
                : [
                    {
                      caption: (
                        <input
                          type="checkbox"
                          aria-label={text('select.page')}
                          checked={rows.every((row) => selection.has(idSegment(row['id'])))}
                          onChange={() => selection.togglePage(rows)}
                        />
                      ),
                      cell: (row: Row) => (
                        <input
                          type="checkbox"
                          aria-label={text('select.row', { name: nameOfInstance(row) })}
                          checked={selection.has(idSegment(row['id']))}
                          onChange={() => selection.toggle(row, rows)}
                        />
                      ),
                    },
                  ]),
              { caption: text('rows.name'), cell: (row) => <bdi>{nameOfInstance(row)}</bdi>, wraps: true },
              {
                caption: text('bin.actions'),
                cell: (row) => (
                  <Group gap={4}>
                    {actions.map((action) => (
                      <Button
                        key={action}
                        size="compact-sm"
                        aria-label={text(`bin.${action}Named`, { name: nameOfInstance(row) })}
                        onClick={() => setOpen({ action, row })}
                      >
                        {text(`bin.${action}`)}
                      </Button>
                    ))}
                    {mayUse(model, 'history.read', entity) && (
                      <TextLink to={`${instancePath(entity, row['id'])}/history`}>
                        {text('history.page.history')}
                      </TextLink>
                    )}
                  </Group>
                ),
              },
              ...columns.map(({ path, caption, attribute }) => ({
                caption,
                cell: (row: Row) => <bdi>{formatValue(valueAt(row, path), attribute, { locale, text, enums })}</bdi>,
              })),
            ]}
          />
          <ListFooter
            page={{
              ...{ total: undefined, pageNumber: pages.pageNumber },
              previous: pages.hasPrevious ? pages.previous : undefined,
              next: pages.hasNext ? pages.next : undefined,
            }}
            isCounted
            onCount={() => undefined}
          />
        </>
      )}
      {open !== undefined && (
        <BinDialog
          entity={entity}
          {...open}
          onDone={() => {
            if (!selection.isAll && selection.has(idSegment(open.row['id']))) selection.toggle(open.row, []);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Stack>
  );
}

interface BinDialogProps {
  readonly entity: string;
  readonly action: Action;
  readonly row: Row;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows an instance of the bin, or asks before it is restored or removed for good. */
function BinDialog({ entity, action, row, onDone, onClose }: BinDialogProps) {
  const { text } = useLanguage();
  const { client } = useModel();
  const { restoreDeleted, purge } = useHistoryWrites();
  const id = idSegment(row['id']);
  const name = nameOfInstance(row);
  if (action === 'show')
    return (
      <StateDialog
        entity={entity}
        title={name}
        subject={['bin', id]}
        load={(fetchPlan, signal) => client.load(entity, id, { fetchPlan, deleted: 'only', signal })}
        onClose={onClose}
      />
    );
  const isRestored = action === 'restore';
  return (
    <RehearsedDialog
      title={text(`bin.${action}Named`, { name })}
      question={text(`bin.${action}Question`, { name })}
      confirm={text(`bin.${action}`)}
      isDangerous={!isRestored}
      subject={['bin', action, entity, id]}
      preview={() =>
        rehearse(client, (dry) =>
          isRestored
            ? dry.restore(entity, id, { fetchPlan: '_instance_name' })
            : dry.remove(entity, id, { deleted: 'only' }),
        )
      }
      show={({ changes }) => (
        <AffectedRecords
          what={isRestored ? 'restored' : 'removed'}
          changes={changes.filter((each) => !(each.entity === entity && idSegment(each.id) === id))}
        />
      )}
      onConfirm={async () => {
        await (isRestored ? restoreDeleted(entity, [id]) : purge(entity, [id]));
        onDone();
        notify({ message: text(`bin.${action}Done`, { name }), closeLabel: text('action.close') });
      }}
      onClose={onClose}
    />
  );
}
