import { ConflictError, type EntityInfo, tagOf, ValidationError } from '@lintel/client';
import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.css';
import { changedValues, type Values } from '@lintel/react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { notify } from '../../../errors/notify.ts';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { instancePath } from '../instance-path.ts';
import { planOf } from '../paths/plan-of.ts';
import { ConflictTable } from './conflict-table.tsx';
import { Field } from './field.tsx';
import type { FormAttribute } from './form-attributes.ts';
import { useForeignChange } from './use-foreign-change.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

interface InstanceFormProps {
  readonly entity: EntityInfo;
  /** Undefined: a new instance. */
  readonly id: string | undefined;
  readonly fields: readonly FormAttribute[];
  readonly stored: Values;
  /** Of the stored instance; undefined where the entity has no version. */
  readonly tag: string | undefined;
  readonly reload: () => void;
}

interface Base {
  readonly values: Values;
  readonly tag: string | undefined;
}

/** The fields of an instance. Input stays until it is saved or discarded. */
export function InstanceForm({ entity, id, fields, stored, tag, reload }: InstanceFormProps) {
  const { entityName } = entity;
  const text = useText();
  const { client } = useModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [base, setBase] = useState<Base>({ values: stored, tag });
  const [edited, setEdited] = useState<Values>({});
  const [failure, setFailure] = useState<unknown>();
  const [theirs, setTheirs] = useState<Base>();
  const [isSaving, setSaving] = useState(false);
  const names = fields.map(({ attribute }) => attribute.name);
  const current: Values = { ...base.values, ...edited };
  const changed = changedValues(base.values, edited);
  const isDirty = Object.keys(changed).length > 0;
  const leaving = useLeaveWarning(isDirty, text('form.leave'));
  const isForeign = useForeignChange(entityName, id, isSaving);

  async function loadTheirs(): Promise<void> {
    const instance = await client.load(entityName, id ?? '', { fetchPlan: planOf(names) });
    if (instance !== undefined) setTheirs({ values: instance, tag: tagOf(instance) });
  }

  async function save(): Promise<void> {
    setSaving(true);
    setFailure(undefined);
    try {
      if (id === undefined) {
        const created = await client.create(entityName, changed, { fetchPlan: '_instance_name' });
        leaving.allow();
        await navigate({ to: instancePath(entityName, created['id']), replace: true });
      } else {
        const plan = planOf(names);
        const written = await client.update(entityName, id, changed, { fetchPlan: plan, ifMatch: base.tag });
        setBase({ values: written, tag: tagOf(written) });
        setEdited({});
      }
      void notify({ message: text('form.saved') });
      await queries.invalidateQueries({ queryKey: ['list', entityName] });
    } catch (error) {
      setFailure(error);
      if (error instanceof ConflictError && error.status === 412) await loadTheirs().catch(setFailure);
    } finally {
      setSaving(false);
    }
  }

  const items = failure instanceof ValidationError ? failure.items : [];
  const errorOf = (name: string): string | undefined =>
    items.find(({ path }) => path.split(/[.[]/)[0] === name)?.message;
  const isShownElsewhere = items.length > 0 && items.every(({ path }) => names.includes(path.split(/[.[]/)[0] ?? ''));
  const mayWrite = fields.some(({ isReadOnly }) => !isReadOnly);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isForeign && theirs === undefined && (
        <Alert color="yellow" mb="md" role="status">
          <Group justify="space-between">
            <Text size="sm">{text('form.changedElsewhere')}</Text>
            <Button size="compact-sm" variant="default" onClick={() => (isDirty ? void loadTheirs() : reload())}>
              {text(isDirty ? 'form.compare' : 'form.reload')}
            </Button>
          </Group>
        </Alert>
      )}
      {theirs !== undefined && (
        <ConflictTable
          entity={entity}
          base={base.values}
          mine={edited}
          theirs={theirs.values}
          onContinue={(kept) => {
            setBase(theirs);
            setEdited(kept);
            setTheirs(undefined);
            setFailure(undefined);
          }}
        />
      )}
      {failure !== undefined && theirs === undefined && !isShownElsewhere && <ErrorAlert error={failure} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" my="md">
        {fields.map((field) => {
          const { name } = field.attribute;
          return (
            <Field
              key={name}
              entity={entityName}
              field={field}
              value={current[name]}
              error={errorOf(name)}
              onChange={(value) => setEdited((before) => ({ ...before, [name]: value }))}
            />
          );
        })}
      </SimpleGrid>
      {mayWrite && (
        <Group>
          <Button type="submit" loading={isSaving} disabled={!isDirty || theirs !== undefined}>
            {text('form.save')}
          </Button>
          <Button variant="default" disabled={!isDirty} onClick={() => setEdited({})}>
            {text('form.discard')}
          </Button>
        </Group>
      )}
    </form>
  );
}
