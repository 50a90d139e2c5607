import type { ConditionGroup } from '@lintel/client';
import { idSegment } from '@lintel/react';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { AffectedRecords } from '../deletion/affected-records.tsx';
import { keyOfRow } from '../list/row.ts';
import { rehearseRows } from '../list/selection/rehearse-rows.ts';
import { SelectionFrame } from '../list/selection/selection-frame.tsx';
import { useSelectionWrites } from '../list/selection/use-selection-writes.ts';
import type { Selection } from '../list/use-selection.ts';
import { RehearsedDialog } from '../undo/rehearsed-dialog.tsx';

/** Ways to end the stay of instances in the bin. */
export type BinWrite = 'restore' | 'purge';

interface BinSelectionProps {
  readonly entity: string;
  readonly selection: Selection;
  readonly filter: ConditionGroup;
  /** The actions that the user is permitted. */
  readonly actions: readonly BinWrite[];
}

/** Restores the selected instances of a bin, or removes them for good. */
export function BinSelection({ entity, selection, filter, actions }: BinSelectionProps) {
  const text = useText();
  const { client } = useModel();
  const [asked, setAsked] = useState<BinWrite>();
  const writes = useSelectionWrites(entity, selection, { filter, deleted: 'only' });
  const { count } = writes;
  const isChosen = (id: unknown): boolean => selection.isAll || selection.has(idSegment(id));
  return (
    <SelectionFrame
      selection={selection}
      writes={writes}
      actions={actions.map((action) => [text(`bin.${action}`), () => setAsked(action)])}
    >
      {count !== undefined && asked !== undefined && (
        <RehearsedDialog
          title={text(`bin.${asked}`)}
          question={text(`bin.${asked}Several`, { count })}
          confirm={text(`bin.${asked}`)}
          isDangerous={asked === 'purge'}
          subject={['bin', asked, entity, selection.isAll ? filter : selection.rows.map(keyOfRow)]}
          preview={() => rehearseRows(client, entity, writes.rows(), asked)}
          show={({ changes, refusals, isPartial }) => (
            <Stack gap="xs">
              <AffectedRecords
                what={asked === 'restore' ? 'restored' : 'removed'}
                changes={changes.filter((each) => !(each.entity === entity && isChosen(each.id)))}
              />
              {isPartial && <Text size="sm">{text('bin.partial')}</Text>}
              {refusals.map((refusal, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: refusals have no ids, and the refusals of one rehearsal do not move
                <ErrorAlert key={at} error={refusal} />
              ))}
            </Stack>
          )}
          onConfirm={async () => writes[asked]()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </SelectionFrame>
  );
}
