import { tagOf } from '@lintel/client';
import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useExtension } from '../../../extension/use-extension.ts';
import { useText } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import type { Values } from './draft/values.ts';
import { formAttributesOf } from './form-attributes.ts';
import { formPlanOf } from './form-plan.ts';
import { InstanceForm } from './instance-form.tsx';

/** The form of an instance; without an id of a new one. */
export function FormPage() {
  const { entity: name = '', id } = useParams({ strict: false }) as { readonly entity?: string; readonly id?: string };
  const text = useText();
  const model = useModel();
  const { client, entities, rights } = model;
  const entity = entities.get(name);
  const { isPending } = useExtension();
  const isPermitted = entity !== undefined && rights.may(name, id === undefined ? 'create' : 'read');
  const { fields, plan } = useMemo(
    () => ({
      fields: entity === undefined ? [] : formAttributesOf(entity, rights, id === undefined),
      plan: formPlanOf(entities, (each) => formAttributesOf(each, rights, false), name),
    }),
    [entity, entities, rights, name, id],
  );
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['instance', name, id],
    queryFn: async ({ signal }) => {
      const instance = await client.load(name, id ?? '', { fetchPlan: plan, dynamicAttributes: true, signal });
      return { instance, tag: instance === undefined ? undefined : tagOf(instance) };
    },
    enabled: isPermitted && id !== undefined,
    staleTime: 0,
    gcTime: 0,
    // A new object, since the form compares with the one that it began with.
    structuralSharing: false,
    refetchOnReconnect: false,
  });
  if (entity === undefined || !isPermitted) return <Alert color="yellow">{text('list.unknownEntity', { name })}</Alert>;
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (isPending || (id !== undefined && data === undefined)) return <Waiting />;
  if (data !== undefined && data.instance === undefined)
    return <Alert color="yellow">{text('form.missing', { name: captionOf(model, name) })}</Alert>;
  return (
    <Stack gap="sm" maw={1080}>
      <InstanceForm
        key={`${name} ${id ?? ''} ${dataUpdatedAt}`}
        entity={entity}
        id={id}
        fields={fields}
        plan={plan}
        stored={{ values: (data?.instance ?? {}) as Values, tag: data?.tag }}
        reload={() => void refetch()}
      />
    </Stack>
  );
}
