import type { FoundInstance } from '@lintel/react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { captionOf, useModel, useText } from '../../../../context.ts';
import { Dialog } from '../../../../controls/dialog.tsx';
import { SideDialog } from '../../../../controls/side-dialog.tsx';
import { formAttributesOf } from '../attributes/form-attributes.ts';
import { Failure } from '../checking/failure.tsx';
import { FormProvider, useForm } from '../form-context.ts';
import { InstanceFields } from '../instance-fields.tsx';
import { useInstanceForm } from '../use-instance-form.ts';
import { nameAttributeOf } from './name-attribute.ts';

interface CreationFormProps {
  /** Not abstract, and the user may create it. */
  readonly entity: string;
  /** The name of the new instance, as far as it has been typed. */
  readonly words: string;
  readonly onCreated: (created: FoundInstance) => void;
  readonly onClose: () => void;
}

const NO_PLAN = {};

/** The dialog gives the focus to its first field, instead of the button that closes it. */
const focusFirstField = (form: HTMLFormElement | null): void =>
  form?.querySelector('input:not([type=hidden], :disabled), textarea, select')?.setAttribute('data-autofocus', '');

/** The form of a new instance above another form, which keeps its input. */
export function CreationForm({ entity: entityName, words, onCreated, onClose }: CreationFormProps) {
  const text = useText();
  const model = useModel();
  const { entities, rights } = model;
  const entity = entities.get(entityName);
  if (entity === undefined) throw new Error(`There is no entity ${entityName}`);
  const { depth, setInner } = useForm();
  const [isAsking, setAsking] = useState(false);
  const fields = useMemo(() => formAttributesOf(entity, rights, true), [entity, rights]);
  const name = nameAttributeOf(entity, rights);
  const form = useInstanceForm({
    entity,
    id: undefined,
    plan: NO_PLAN,
    stored: { values: name === undefined || words === '' ? {} : { [name]: words }, tag: undefined },
    depth: depth + 1,
    onCreated: async (created) => onCreated(created as unknown as FoundInstance),
  });
  const { editor, context, inner } = form;
  const { values, error, isDirty, isSaving } = editor;
  const isUnsaved = isDirty || inner === 'dirty';
  useEffect(() => setInner?.(isUnsaved ? 'dirty' : 'unchanged'), [setInner, isUnsaved]);
  useEffect(() => () => setInner?.(undefined), [setInner]);
  useHotkeys([['mod+S', () => void (inner === undefined && form.save())]], [], true);
  return (
    <SideDialog
      title={text('form.newTitle', { name: captionOf(model, entityName) })}
      onClose={() => (isDirty ? setAsking(true) : onClose())}
    >
      <FormProvider value={context}>
        <Stack gap="sm">
          {error !== undefined && <Failure error={error} fields={fields} />}
          <form
            ref={focusFirstField}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              // Events pass to the form around, which is not submitted.
              event.stopPropagation();
              void form.save();
            }}
          >
            <InstanceFields entityName={entityName} values={values} path="" isNew />
            <Group justify="end" mt="md">
              <Button onClick={() => (isDirty ? setAsking(true) : onClose())}>{text('action.cancel')}</Button>
              <Button variant="filled" type="submit" loading={isSaving}>
                {text('action.save')}
              </Button>
            </Group>
          </form>
        </Stack>
        {isAsking && (
          <Dialog title={text('leave.title')} onClose={() => setAsking(false)}>
            <Text size="sm">{text('lookup.discard')}</Text>
            <Group justify="end" mt="md" gap="xs">
              <Button onClick={onClose}>{text('action.discard')}</Button>
              <Button variant="filled" data-autofocus onClick={() => setAsking(false)}>
                {text('leave.stay')}
              </Button>
            </Group>
          </Dialog>
        )}
      </FormProvider>
    </SideDialog>
  );
}
