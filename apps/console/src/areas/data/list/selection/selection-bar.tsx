import type { AttributeInfo, ConditionGroup, DetailedEntityInfo } from '@lintel/client';
import { idSegment, isToMany, type ResolvedPath, type Rights } from '@lintel/react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ErrorAlert } from '../../../../errors/error-alert.tsx';
import { ExtensionActions } from '../../../../extension/parts/extension-actions.tsx';
import { useText } from '../../../../language/text-provider.tsx';
import { useModel } from '../../../../model/model-provider.tsx';
import { valueKindOf } from '../../values/value-kind.ts';
import { isSystem } from '../columns.ts';
import { DownloadPanel } from '../download/download-panel.tsx';
import classes from '../list.module.css';
import { keyOfRow } from '../row.ts';
import type { Selection } from '../use-selection.ts';
import { BulkChange } from './bulk-change.tsx';
import { rehearseDeletion } from './rehearse-deletion.ts';
import { RowResults } from './row-results.tsx';
import { useSelectionWrites } from './use-selection-writes.ts';

const DeleteDialog = lazy(async () => ({ default: (await import('../../deletion/delete-dialog.tsx')).DeleteDialog }));

interface SelectionBarProps {
  readonly entity: DetailedEntityInfo;
  readonly selection: Selection;
  readonly filter: ConditionGroup;
  readonly sort: string | undefined;
  readonly columns: readonly ResolvedPath[];
  readonly reload: () => void;
}

type Work = 'change' | 'delete' | 'download';

/** What can be done with the selected rows. */
export function SelectionBar({ entity, selection, filter, sort, columns, reload }: SelectionBarProps) {
  const { entityName } = entity;
  const text = useText();
  const { client, rights } = useModel();
  const [work, setWork] = useState<Work>();
  const [isAsking, setAsking] = useState(false);
  const { count, error, retry, run, cancel, rows, change, remove } = useSelectionWrites(entityName, selection, filter);
  const attributes = changeableAttributes(entity, rights);
  if (error !== null) return <ErrorAlert error={error} onRetry={retry} />;
  if (run !== undefined)
    return (
      <Stack className={classes['panel']} role="region" aria-label={text('select.title')}>
        <RowResults
          run={run}
          work={work === 'delete' ? 'delete' : 'change'}
          total={count}
          onCancel={cancel}
          onClose={selection.clear}
        />
      </Stack>
    );
  return (
    <Stack className={classes['panel']} gap="xs" role="region" aria-label={text('select.title')}>
      <Group gap="xs">
        <Text size="sm" role="status">
          {count === undefined
            ? text('select.counting')
            : text(selection.isAll ? 'select.all' : 'select.some', { count })}
        </Text>
        <SelectionButtons
          selection={selection}
          isChangeable={attributes.length > 0}
          isDeletable={rights.may(entityName, 'delete')}
          onChoose={(chosen) => {
            setWork(chosen);
            setAsking(chosen === 'delete');
          }}
        />
      </Group>
      {!selection.isAll && (
        <ExtensionActions on="list" entity={entityName} instances={selection.rows} reload={reload} />
      )}
      {count !== undefined && work === 'change' && (
        <BulkChange entityName={entityName} attributes={attributes} count={count} onChange={change} />
      )}
      {work === 'download' && (
        <DownloadPanel
          entityName={entityName}
          columns={columns}
          filter={filter}
          sort={sort}
          rows={selection.isAll ? undefined : selection.rows}
          total={count}
        />
      )}
      {count !== undefined && isAsking && (
        <Suspense fallback={null}>
          <DeleteDialog
            entity={entityName}
            question={text('select.deleteQuestion', { count })}
            confirm={text('select.deleteNow', { count })}
            subject={selection.isAll ? [filter] : selection.rows.map(keyOfRow)}
            preview={() => rehearseDeletion(client, entityName, rows())}
            // Chosen rows are not among what is deleted besides them.
            isChosen={(id) => selection.isAll || selection.has(idSegment(id))}
            onConfirm={async () => remove()}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </Stack>
  );
}

interface SelectionButtonsProps {
  readonly selection: Selection;
  readonly isChangeable: boolean;
  readonly isDeletable: boolean;
  readonly onChoose: (work: Work) => void;
}

function SelectionButtons({ selection, isChangeable, isDeletable, onChoose }: SelectionButtonsProps) {
  const text = useText();
  const buttons: readonly (readonly [isShown: boolean, title: string, onClick: () => void])[] = [
    [!selection.isAll, text('select.selectAll'), selection.selectAll],
    [true, text('select.clear'), selection.clear],
    [isChangeable, text('select.change'), () => onChoose('change')],
    [true, text('download.title'), () => onChoose('download')],
    [isDeletable, text('select.delete'), () => onChoose('delete')],
  ];
  return buttons.map(
    ([isShown, title, onClick]) =>
      isShown && (
        <Button key={title} size="compact-sm" variant="default" onClick={onClick}>
          {title}
        </Button>
      ),
  );
}

/** The attributes that can have the same new value in several instances: those with one value that the user may change. */
const changeableAttributes = (
  { entityName, properties }: DetailedEntityInfo,
  rights: Pick<Rights, 'may' | 'mayModify'>,
): readonly AttributeInfo[] =>
  rights.may(entityName, 'update')
    ? properties.filter(
        (attribute) =>
          attribute.persistent &&
          !attribute.readOnly &&
          !isSystem(attribute.name) &&
          !isToMany(attribute) &&
          attribute.attributeType !== 'COMPOSITION' &&
          !['embedded', 'other'].includes(valueKindOf(attribute)) &&
          rights.mayModify(entityName, attribute.name),
      )
    : [];
