import { idSegment } from '@lintel/react';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../context.ts';
import { ReferenceField } from '../../data/form/fields/reference-field.tsx';
import { SingleField } from './single-field.tsx';
import type { ValueFieldProps } from './value-field.tsx';
import { isEmpty } from './value-type.ts';

/** An instance, found by words of its name. Its value is the id, so that an address has no names. */
export function InstanceField(props: ValueFieldProps & { readonly entity: string }) {
  const { entity, label, required, value, error, onChange } = props;
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['instance-of-parameter', entity, value],
    queryFn: async ({ signal }) =>
      (await client.load(entity, idSegment(value), { fetchPlan: '_instance_name', signal })) ?? null,
    enabled: !isEmpty(value),
  });
  const attribute = { name: label, type: entity, mandatory: required } as never;
  return (
    <SingleField onChange={(chosen) => onChange((chosen as { readonly id: unknown } | null)?.id ?? '')}>
      <ReferenceField
        entity={entity}
        field={{ attribute, widget: 'reference', isReadOnly: false }}
        path={label}
        isNew
        label={label}
        value={isEmpty(value) ? null : (data ?? { id: value })}
        error={error}
      />
    </SingleField>
  );
}
