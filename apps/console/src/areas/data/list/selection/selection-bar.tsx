import type { ConditionGroup, DetailedEntityInfo } from '@lintel/client';
import { idSegment, type ResolvedPath } from '@lintel/react';
import { lazy, Suspense, useState } from 'react';
import { useModel, useText } from '../../../../context.ts';
import { ExtensionActions } from '../../../../extension/parts/extension-actions.tsx';
import { DownloadPanel } from '../download/download-panel.tsx';
import { keyOfRow } from '../row.ts';
import type { Selection } from '../use-selection.ts';
import { BulkChange } from './bulk-change.tsx';
import { changeableAttributes } from './new-values.ts';
import { rehearseRows } from './rehearse-rows.ts';
import { SelectionFrame } from './selection-frame.tsx';
import { useSelectionWrites } from './use-selection-writes.ts';

const DeleteDialog = lazy(async () => ({ default: (await import('../../deletion/delete-dialog.tsx')).DeleteDialog }));

interface SelectionBarProps {
  readonly entity: DetailedEntityInfo;
  readonly selection: Selection;
  readonly filter: ConditionGroup;
  readonly q: string | undefined;
  readonly sort: string | undefined;
  readonly columns: readonly ResolvedPath[];
  readonly reload: () => void;
}

type Work = 'change' | 'delete' | 'download';

/** What can be done with the selected rows. */
export function SelectionBar({ entity, selection, filter, q, sort, columns, reload }: SelectionBarProps) {
  const { entityName } = entity;
  const text = useText();
  const { client, rights } = useModel();
  const [work, setWork] = useState<Work>();
  const writes = useSelectionWrites(entityName, selection, { filter, q });
  const { count, rows, change, remove } = writes;
  const attributes = changeableAttributes(entity, rights);
  return (
    <SelectionFrame
      selection={selection}
      writes={writes}
      actions={[
        ...(attributes.length > 0 ? ([[text('select.change'), () => setWork('change')]] as const) : []),
        [text('download.title'), () => setWork('download')],
        ...(rights.may(entityName, 'delete') ? ([[text('select.delete'), () => setWork('delete')]] as const) : []),
      ]}
    >
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
          q={q}
          sort={sort}
          rows={selection.isAll ? undefined : selection.rows}
          total={count}
        />
      )}
      {count !== undefined && work === 'delete' && (
        <Suspense fallback={null}>
          <DeleteDialog
            entity={entityName}
            question={text('select.deleteQuestion', { count })}
            confirm={text('select.deleteNow', { count })}
            subject={selection.isAll ? [filter, q] : selection.rows.map(keyOfRow)}
            preview={() => rehearseRows(client, entityName, rows(), 'delete')}
            // Chosen rows are not among what is deleted besides them.
            isChosen={(id) => selection.isAll || selection.has(idSegment(id))}
            onConfirm={async () => remove()}
            onClose={() => setWork(undefined)}
          />
        </Suspense>
      )}
    </SelectionFrame>
  );
}
