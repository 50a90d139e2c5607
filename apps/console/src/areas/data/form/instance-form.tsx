import { Alert, Anchor, Button, Group, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { ExtensionActions } from '../../../extension/extension-actions.tsx';
import { useLanguage } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { CopyRequest } from '../../../requests/copy-request.tsx';
import { instanceRequest } from '../../../requests/entity-requests.ts';
import { instancePath } from '../instance-path.ts';
import { nameOfInstance } from '../values/format-value.ts';
import type { FormAttribute } from './attributes/form-attributes.ts';
import { Failure } from './checking/failure.tsx';
import { ConflictTable } from './conflict/conflict-table.tsx';
import classes from './form.module.css';
import { FormProvider } from './form-context.ts';
import { InstanceFields } from './instance-fields.tsx';
import { useLeaveGuard } from './keeping/use-leave-guard.tsx';
import { DeleteButton, RefusedDeletion } from './links/delete-button.tsx';
import { Referrers } from './links/referrers.tsx';
import { type FormOptions, useInstanceForm } from './use-instance-form.ts';

interface InstanceFormProps extends Omit<FormOptions, 'onCreated'> {
  readonly fields: readonly FormAttribute[];
  readonly reload: () => void;
}

/** The form of an instance with the children of its compositions. Input stays until it is saved or discarded. */
export function InstanceForm({ entity, id, plan, stored, fields, reload }: InstanceFormProps) {
  const { entityName } = entity;
  const { text, locale } = useLanguage();
  const model = useModel();
  const { rights, connection } = model;
  const navigate = useNavigate();
  const [undeleted, setUndeleted] = useState<unknown>();
  const form = useInstanceForm({
    entity,
    id,
    plan,
    stored,
    onCreated: async ({ id: created }) => {
      guard.allow();
      await navigate({ to: instancePath(entityName, created), replace: true });
    },
  });
  const { editor, context, offered, inner } = form;
  const { stored: base, values: draft, error: failure, conflict, isDirty, isSaving, isChangedElsewhere } = editor;
  const guard = useLeaveGuard(isDirty || inner === 'dirty', form.forget);
  const mayWrite = fields.some(({ isReadOnly }) => !isReadOnly);
  // Also in the editor for JSON, whose text is no input.
  useHotkeys(
    [['mod+S', () => void (isDirty && conflict === undefined && inner === undefined && form.save())]],
    [],
    true,
  );
  const caption = captionOf(model, entityName);
  const name = nameOfInstance(base.values);
  const close = (event: KeyboardEvent<HTMLElement>): void => {
    // Drawers and open lists close themselves.
    const isInside = event.currentTarget.contains(event.target as Node);
    const isList = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
    if (event.key === 'Escape' && isInside && !isList && !event.defaultPrevented)
      void navigate({ to: `/data/${entityName}` });
  };
  return (
    <FormProvider value={context}>
      <Group justify="space-between" align="start">
        <div>
          <Anchor component={Link} to={`/data/${entityName}`} size="sm">
            {caption}
          </Anchor>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {id === undefined ? text('form.newTitle', { name: caption }) : name}
          </Title>
        </div>
        {id !== undefined && (
          <Group gap="xs">
            <ExtensionActions
              on="instance"
              entity={entityName}
              instances={[base.values]}
              isDisabled={isDirty}
              reload={reload}
            />
            <CopyRequest request={instanceRequest(connection.paths, entityName, id, plan)} />
            {rights.may(entityName, 'delete') && (
              <DeleteButton
                entityName={entityName}
                id={id}
                name={name}
                tag={base.tag}
                onDeleted={() => {
                  form.forget();
                  guard.allow();
                }}
                onFailure={setUndeleted}
              />
            )}
          </Group>
        )}
      </Group>
      {undeleted !== undefined && id !== undefined && (
        <RefusedDeletion error={undeleted} entityName={entityName} id={base.values['id'] ?? id} />
      )}
      {offered !== undefined && (
        <Alert color="blue" role="status" title={text('kept.title')}>
          <Text size="sm">
            {text('kept.text', {
              time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(offered.at),
            })}
          </Text>
          <Group gap="xs" mt="xs">
            <Button size="compact-sm" onClick={form.restore}>
              {text('kept.restore')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={form.forget}>
              {text('kept.discard')}
            </Button>
          </Group>
        </Alert>
      )}
      {isChangedElsewhere && conflict === undefined && (
        <Alert color="yellow" role="status">
          <Group justify="space-between">
            <Text size="sm">{text('form.changedElsewhere')}</Text>
            <Button size="compact-sm" variant="default" onClick={() => (isDirty ? void editor.compare() : reload())}>
              {text(isDirty ? 'form.compare' : 'form.reload')}
            </Button>
          </Group>
        </Alert>
      )}
      {conflict !== undefined && <ConflictTable differences={conflict} onContinue={editor.resolve} />}
      {failure !== undefined && conflict === undefined && <Failure error={failure} fields={fields} />}
      <form
        noValidate
        onKeyDown={close}
        onSubmit={(event) => {
          event.preventDefault();
          void form.save();
        }}
      >
        <InstanceFields entityName={entityName} values={draft} path="" isNew={id === undefined} />
        {mayWrite && (
          <Group className={classes['actions']}>
            <Button
              type="submit"
              loading={isSaving}
              disabled={(!isDirty && id !== undefined) || conflict !== undefined}
            >
              {text('form.save')}
            </Button>
            <Button variant="default" disabled={!isDirty} onClick={form.discard}>
              {text('form.discard')}
            </Button>
          </Group>
        )}
      </form>
      {id !== undefined && <Referrers entityName={entityName} id={base.values['id'] ?? id} />}
      {guard.question}
    </FormProvider>
  );
}
