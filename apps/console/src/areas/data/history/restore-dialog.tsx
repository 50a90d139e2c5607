import { rehearse, tagOf } from '@lintel/client';
import { useHistoryWrites } from '@lintel/react';
import { Group, Text } from '@mantine/core';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import { CheckField } from '../../../controls/forms.tsx';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../../errors/notify.ts';
import { RehearsedDialog } from '../undo/rehearsed-dialog.tsx';
import { ChangeTable } from './change-table.tsx';
import { rehearsedRows } from './rehearsed-rows.ts';

interface RestoreDialogProps {
  readonly entity: string;
  readonly id: string;
  /** The state that is written again. */
  readonly time: string;
  readonly shownTime: string;
  readonly onClose: () => void;
}

/** Writes a former state again, or some attributes of it, after showing what would change. */
export function RestoreDialog({ entity, id, time, shownTime, onClose }: RestoreDialogProps) {
  const { text } = useLanguage();
  const model = useModel();
  const { client } = model;
  const { restoreState } = useHistoryWrites();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const difference = useQuery({
    queryKey: ['history', entity, id, 'diff', time],
    queryFn: ({ signal }) => client.history(entity, id).diff(time, undefined, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const { attributes: differing = [], children = [] } = difference.data ?? {};
  const names = [...new Set([...differing, ...children].map(({ attribute }) => attribute))];
  const chosen = names.filter((name) => !left.has(name));
  const attributes = left.size === 0 ? undefined : chosen;
  const preview = async () => {
    // Read before: what somebody changes after it refuses the restoration.
    const present = await client.load(entity, id, { fetchPlan: '_local' });
    const rehearsal = await rehearse(client, (dry) => dry.history(entity, id).restore(time, { attributes }));
    return { ...rehearsal, tag: present === undefined ? undefined : tagOf(present) };
  };
  const toggle = (name: string, isChosen: boolean): void => {
    const next = new Set(left);
    if (isChosen) next.delete(name);
    else next.add(name);
    setLeft(next);
  };
  return (
    <RehearsedDialog
      title={text('restore.title', { time: shownTime })}
      confirm={text('restore.now')}
      subject={[entity, id, time, chosen]}
      preview={chosen.length === 0 ? undefined : preview}
      show={({ changes }) => (
        <ChangeTable label={text('restore.changes')} rows={rehearsedRows(model, changes, { entity, id })} />
      )}
      onConfirm={async ({ tag }) => {
        await restoreState(entity, id, { time, attributes, ifMatch: tag });
        notify({ message: text('restore.done', { time: shownTime }), closeLabel: text('action.close') });
      }}
      onClose={onClose}
    >
      {difference.isSuccess && names.length === 0 && <Text size="sm">{text('restore.equal')}</Text>}
      {names.length > 0 && (
        <Group role="group" aria-label={text('restore.attributes')} gap="md">
          {names.map((name) => (
            <CheckField
              key={name}
              size="xs"
              label={captionOf(model, entity, name)}
              checked={!left.has(name)}
              onChange={(isChecked) => toggle(name, isChecked)}
            />
          ))}
        </Group>
      )}
    </RehearsedDialog>
  );
}
