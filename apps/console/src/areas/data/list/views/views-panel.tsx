import { useModel, useRights, useText } from '../../../../context.ts';
import { CheckField, SubmitForm, TextField } from '../../../../controls/forms.tsx';
import { Hint, TextLink } from '../../../../controls/texts.tsx';
import { Pending } from '../../../../errors/pending.tsx';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import type { ConditionGroup } from '@lintel/client';
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import classes from '../list.module.css';
import { type ListState, type Search, writeListState } from '../list-state.ts';
import { type ListView, searchOf, useViews } from './views-api.ts';

interface ViewsPanelProps {
  readonly entityName: string;
  readonly state: ListState;
  /** The filter of the list, with the words of its search. */
  readonly filter: ConditionGroup;
  readonly q: string | undefined;
  /** A view with a question was opened. */
  readonly onQuestion: () => void;
}

/** The address of a list as a view keeps it; its question is kept beside it. */
export const contentOf = (state: ListState): Search => writeListState({ ...state, question: undefined }, {});

/** Saved views of a list: opened, saved, shared and deleted. Those of a user are not shown to others. */
export function ViewsPanel(props: ViewsPanelProps) {
  const text = useText();
  if (useModel().isSeen !== true) return <OwnViews {...props} />;
  return (
    <section className={classes['panel']} aria-label={text('views.title')}>
      <Text size="sm">{text('views.seen')}</Text>
    </section>
  );
}

function OwnViews({ entityName, state, filter, q, onQuestion }: ViewsPanelProps) {
  const text = useText();
  const rights = useRights();
  const { views, error, refetch, create, update, remove } = useViews(entityName);
  const content = contentOf(state);
  return (
    <Stack className={classes['panel']} gap="xs" role="region" aria-label={text('views.title')}>
      {(error !== null || views === undefined) && <Pending error={error} onRetry={refetch} />}
      {views?.length === 0 && <Text size="sm">{text('views.none')}</Text>}
      {views !== undefined && views.length > 0 && (
        <ul className={classes['columns']}>
          {views.map((view) => (
            <li key={view.id}>
              <Group gap={6}>
                <TextLink
                  to={`/data/${entityName}`}
                  search={searchOf(view) as never}
                  onClick={() => view.question && onQuestion()}
                >
                  {view.name}
                </TextLink>
                <Hint>
                  <Sharing view={view} />
                </Hint>
                {view.isOwn && (
                  <ActionIcon
                    aria-label={text('views.replace', { name: view.name })}
                    title={text('views.replace', { name: view.name })}
                    onClick={() => {
                      const { name, shared, role } = view;
                      const question = view.question && { ...view.question, filter, q };
                      void update(view.id, { entityName, name, content, question, shared, role });
                    }}
                  >
                    <IconDeviceFloppy size={14} />
                  </ActionIcon>
                )}
                {(view.isOwn || rights.has('views.share')) && (
                  <ActionIcon
                    aria-label={text('views.delete', { name: view.name })}
                    title={text('views.delete', { name: view.name })}
                    onClick={() => void remove(view.id)}
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      <NewView onSave={(name, shared, role) => create({ entityName, name, content, shared, role })} />
    </Stack>
  );
}

function Sharing({ view: { isOwn, owner, shared, role } }: { readonly view: ListView }) {
  const text = useText();
  if (!shared) return null;
  const audience = role === null ? text('views.withAll') : text('views.withRole', { role });
  return isOwn || owner === '' ? audience : `${text('views.of', { name: owner })} · ${audience}`;
}

interface NewViewProps {
  /** Whether it was saved. */
  readonly onSave: (name: string, shared: boolean, role: string | null) => Promise<boolean>;
}

/** Names a new view, and whom it is shared with. */
export function NewView({ onSave }: NewViewProps) {
  const text = useText();
  const mayShare = useRights().has('views.share');
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [role, setRole] = useState('');
  const save = async (): Promise<void> => {
    const sharedWith = isShared && role.trim() !== '' ? role.trim() : null;
    if (await onSave(name.trim(), isShared, sharedWith)) setName('');
  };
  return (
    <SubmitForm
      onSubmit={() => {
        if (name.trim() !== '') void save();
      }}
    >
      <Group gap="xs" align="end">
        <TextField label={text('views.name')} maxLength={100} value={name} onChange={setName} />
        {mayShare && <CheckField label={text('views.share')} checked={isShared} mb={8} onChange={setShared} />}
        {mayShare && isShared && (
          <TextField label={text('views.role')} maxLength={255} value={role} onChange={setRole} />
        )}
        <Button type="submit" disabled={name.trim() === ''}>
          {text('views.save')}
        </Button>
      </Group>
    </SubmitForm>
  );
}
