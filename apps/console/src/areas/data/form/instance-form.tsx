import type { Values } from '@lintel/react';
import { ActionIcon, Button, Group } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { SubmitForm } from '../../../controls/forms.tsx';
import { SaveBar } from '../../../controls/save-bar.tsx';
import { ExtensionActions } from '../../../extension/parts/extension-actions.tsx';
import { CopyRequest } from '../../../requests/copy-request.tsx';
import { instanceRequest } from '../../../requests/entity-requests.ts';
import { DeleteButton } from '../deletion/delete-button.tsx';
import { instancePath } from '../instance-path.ts';
import { neighboursOf } from '../list/list-memory.ts';
import { FavouriteButton } from '../recent/favourite-button.tsx';
import { keepRecord } from '../recent/kept-records.ts';
import { nameOfInstance } from '../values/format-value.ts';
import { type FormAttribute, formAttributesOf } from './attributes/form-attributes.ts';
import { Failure } from './checking/failure.tsx';
import { ConflictTable } from './conflict/conflict-table.tsx';
import { duplicateOf } from './duplicate/duplicate-of.ts';
import { FormProvider } from './form-context.ts';
import { ChangedElsewhere, KeptInput } from './form-messages.tsx';
import { InstanceFields } from './instance-fields.tsx';
import { InstanceTitle } from './instance-title.tsx';
import { useLeaveGuard } from './keeping/use-leave-guard.tsx';
import { Referrers } from './links/referrers.tsx';
import { type FormOptions, useInstanceForm } from './use-instance-form.ts';

const ICONS = { previous: IconChevronLeft, next: IconChevronRight } as const;

/** Links to the forms of the rows before and after the one with this path, in the list that was shown last. */
function Neighbours({ path }: { readonly path: string }) {
  const text = useText();
  const neighbours = neighboursOf(path);
  return (['previous', 'next'] as const).map((each) => {
    const to = neighbours[each];
    const Icon = ICONS[each];
    return (
      to !== undefined && (
        <ActionIcon key={each} component={Link} to={to} size="input-sm" aria-label={text(`form.${each}`)}>
          <Icon size={16} aria-hidden />
        </ActionIcon>
      )
    );
  });
}

interface InstanceFormProps extends Omit<FormOptions, 'onCreated'> {
  readonly fields: readonly FormAttribute[];
  readonly reload: () => void;
}

/** Whether a key leaves the form: drawers and open lists close themselves. */
function isClosing(event: KeyboardEvent<HTMLElement>): boolean {
  const isInside = event.currentTarget.contains(event.target as Node);
  const isList = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
  return event.key === 'Escape' && isInside && !isList && !event.defaultPrevented;
}

/** The form of an instance with the children of its compositions. Input stays until it is saved or discarded. */
export function InstanceForm({ entity, id, plan, stored, fields, reload }: InstanceFormProps) {
  const { entityName } = entity;
  const text = useText();
  const model = useModel();
  const { rights, connection } = model;
  const navigate = useNavigate();
  // Whether the form of the next new instance follows.
  const isAnother = useRef(false);
  const save = (another: boolean): void => {
    isAnother.current = another;
    void form.save();
  };
  const form = useInstanceForm({
    entity,
    id,
    plan,
    stored,
    onCreated: async ({ id: created }) => {
      guard.allow();
      if (isAnother.current) await navigate({ to: `/data/${entityName}/new` as string, replace: true });
      else await navigate({ to: instancePath(entityName, created), replace: true });
    },
  });
  const { editor, context, offered, inner } = form;
  const { stored: base, values: draft, error: failure, conflict, isDirty, isSaving, isChangedElsewhere } = editor;
  const guard = useLeaveGuard(isDirty || inner === 'dirty', form.forget);
  useEffect(() => {
    if (id !== undefined && model.isSeen !== true) keepRecord('recent', model.user.username, { entityName, id });
  }, [entityName, id, model]);
  const mayWrite = fields.some(({ isReadOnly }) => !isReadOnly);
  // Also in the editor for JSON, whose text is no input.
  useHotkeys(
    [['mod+S', () => void (isDirty && conflict === undefined && inner === undefined && save(false))]],
    [],
    true,
  );
  const name = nameOfInstance(base.values);
  const close = (event: KeyboardEvent<HTMLElement>): void => {
    if (isClosing(event)) void navigate({ to: `/data/${entityName}` });
  };
  return (
    <FormProvider value={context}>
      <Group justify="space-between" align="start">
        <InstanceTitle
          entity={entityName}
          id={id}
          name={id === undefined ? text('form.newTitle', { name: captionOf(model, entityName) }) : name}
        />
        {id !== undefined && (
          <Group gap="xs">
            <Neighbours path={instancePath(entityName, id)} />
            <FavouriteButton entityName={entityName} id={id} />
            <ExtensionActions
              on="instance"
              entity={entityName}
              instances={[base.values]}
              isDisabled={isDirty}
              reload={reload}
            />
            <CopyRequest request={instanceRequest(connection.paths, entityName, id, plan)} />
            {!isDirty && <DuplicateButton entityName={entityName} values={base.values} />}
            {rights.may(entityName, 'delete') && (
              <DeleteButton
                entityName={entityName}
                id={id}
                storedId={base.values['id'] ?? id}
                name={name}
                tag={base.tag}
                onDeleted={() => {
                  form.forget();
                  guard.allow();
                }}
              />
            )}
          </Group>
        )}
      </Group>
      {offered !== undefined && <KeptInput at={offered.at} onRestore={form.restore} onDiscard={form.forget} />}
      {isChangedElsewhere && conflict === undefined && (
        <ChangedElsewhere isDirty={isDirty} onCompare={() => void editor.compare()} onReload={reload} />
      )}
      {conflict !== undefined && <ConflictTable differences={conflict} onContinue={editor.resolve} />}
      {failure !== undefined && conflict === undefined && <Failure error={failure} fields={fields} />}
      <SubmitForm noValidate onKeyDown={close} onSubmit={() => save(false)}>
        <InstanceFields entityName={entityName} values={draft} path="" isNew={id === undefined} />
        {mayWrite && (
          <SaveBar
            isSaving={isSaving}
            canSave={(isDirty || id === undefined) && conflict === undefined}
            onDiscard={isDirty ? form.discard : undefined}
          >
            {id === undefined && (
              <Button disabled={isSaving || conflict !== undefined} onClick={() => save(true)}>
                {text('form.saveAndNew')}
              </Button>
            )}
          </SaveBar>
        )}
      </SubmitForm>
      {id !== undefined && <Referrers entityName={entityName} id={base.values['id'] ?? id} />}
      {guard.question}
    </FormProvider>
  );
}

interface DuplicateButtonProps {
  readonly entityName: string;
  readonly values: Values;
}

/** Opens the form of a new instance with the values of this one. */
function DuplicateButton({ entityName, values }: DuplicateButtonProps) {
  const text = useText();
  const { entities, rights } = useModel();
  const navigate = useNavigate();
  if (!rights.may(entityName, 'create')) return null;
  const duplicate = (): void => {
    const copied = duplicateOf(
      entities,
      (name, isNew) => {
        const found = entities.get(name);
        return found === undefined ? [] : formAttributesOf(found, rights, isNew);
      },
      entityName,
      values,
    );
    void navigate({ to: `/data/${entityName}/new` as string, state: { copied } as never });
  };
  return <Button onClick={duplicate}>{text('form.duplicate')}</Button>;
}
