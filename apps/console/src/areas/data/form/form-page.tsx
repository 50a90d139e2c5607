import { tagOf } from '@lintel/client';
import type { Values } from '@lintel/react';
import { Alert, Anchor, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useText } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { planOf } from '../paths/plan-of.ts';
import { nameOfInstance } from '../values/format-value.ts';
import { formAttributesOf } from './form-attributes.ts';
import { InstanceForm } from './instance-form.tsx';

/** The form of an instance; without an id of a new one. */
export function FormPage() {
  const { entity: name = '', id } = useParams({ strict: false }) as { readonly entity?: string; readonly id?: string };
  const text = useText();
  const model = useModel();
  const entity = model.entities.get(name);
  const isPermitted = entity !== undefined && model.rights.may(name, id === undefined ? 'create' : 'read');
  const fields = entity === undefined ? [] : formAttributesOf(entity, model.rights, id === undefined);
  const { data, error, refetch } = useQuery({
    queryKey: ['instance', name, id],
    queryFn: async ({ signal }) => {
      const plan = planOf(fields.map(({ attribute }) => attribute.name));
      const instance = await model.client.load(name, id ?? '', { fetchPlan: plan, signal });
      return { instance, tag: instance === undefined ? undefined : tagOf(instance) };
    },
    enabled: isPermitted && id !== undefined,
    staleTime: 0,
    // A new object, since the form compares with the one that it began with.
    structuralSharing: false,
    refetchOnReconnect: false,
  });
  if (entity === undefined || !isPermitted) return <Alert color="yellow">{text('list.unknownEntity', { name })}</Alert>;
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (id !== undefined && data === undefined) return <Waiting />;
  if (data !== undefined && data.instance === undefined)
    return <Alert color="yellow">{text('form.missing', { name: captionOf(model, name) })}</Alert>;
  const instance = (data?.instance ?? {}) as Values;
  return (
    <Stack gap="sm" maw={960}>
      <div>
        <Anchor component={Link} to={`/data/${name}`} size="sm">
          {captionOf(model, name)}
        </Anchor>
        <Title order={1} size="h2">
          {id === undefined ? text('form.newTitle', { name: captionOf(model, name) }) : nameOfInstance(instance)}
        </Title>
      </div>
      <InstanceForm
        key={`${name} ${id ?? ''} ${data?.tag ?? ''}`}
        entity={entity}
        id={id}
        fields={fields}
        stored={instance}
        tag={data?.tag}
        reload={() => void refetch()}
      />
    </Stack>
  );
}
