import { useInstance, type Values } from '@lintel/react';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { useLocation, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { useExtension } from '../../../extension/use-extension.ts';
import { concreteEntitiesOf } from '../concrete-entities.ts';
import { NewInstance } from '../list/new-instance.tsx';
import { formAttributesOf, storedAttributesOf } from './attributes/form-attributes.ts';
import { formPlanOf } from './attributes/form-plan.ts';
import { InstanceForm } from './instance-form.tsx';

/** The form of an instance; without an id of a new one. */
export function FormPage() {
  const { entity: name = '', id } = useParams({ strict: false }) as { readonly entity?: string; readonly id?: string };
  const state = useLocation().state as { readonly __TSR_key?: string; readonly copied?: Values };
  const text = useText();
  const model = useModel();
  const { entities, rights } = model;
  const entity = entities.get(name);
  const { isPending } = useExtension();
  const isPermitted =
    entity !== undefined && (id === undefined ? concreteEntitiesOf(model, name).length > 0 : rights.may(name, 'read'));
  const { fields, plan } = useMemo(
    () => ({
      fields: entity === undefined ? [] : formAttributesOf(entity, rights, id === undefined),
      plan: formPlanOf(entities, (each) => storedAttributesOf(each, rights), name),
    }),
    [entity, entities, rights, name, id],
  );
  const { instance, tag, isMissing, error, readAt, reload } = useInstance(name, id, {
    fetchPlan: plan,
    dynamicAttributes: true,
    enabled: isPermitted && !(id === undefined && entity.abstract),
  });
  if (entity === undefined || !isPermitted) return <Alert color="yellow">{text('list.unknownEntity', { name })}</Alert>;
  if (id === undefined && entity.abstract)
    return (
      <Stack gap="sm" align="start">
        <Title order={1}>{captionOf(model, name)}</Title>
        <Text size="sm">{text('form.chooseEntity')}</Text>
        <NewInstance entity={name} />
      </Stack>
    );
  if (error !== null || isPending || (id !== undefined && instance === undefined && !isMissing))
    return <Pending error={error} onRetry={reload} />;
  if (isMissing) return <Alert color="yellow">{text('form.missing', { name: captionOf(model, name) })}</Alert>;
  return (
    <Stack gap="sm" maw={1080}>
      <InstanceForm
        // Each new instance gets an empty form.
        key={`${name} ${id ?? ''} ${readAt} ${id === undefined ? state.__TSR_key : ''}`}
        entity={entity}
        id={id}
        fields={fields}
        plan={plan}
        stored={{ values: (instance ?? (id === undefined ? state.copied : undefined) ?? {}) as Values, tag }}
        reload={reload}
      />
    </Stack>
  );
}
