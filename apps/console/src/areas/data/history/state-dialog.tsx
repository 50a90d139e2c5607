import { entityOfValue, isObject, linesOf, type Values } from '@lintel/react';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { captionOf, useLanguage, useModel, useText } from '../../../context.ts';
import { SideDialog } from '../../../controls/side-dialog.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { type FormAttribute, storedAttributesOf } from '../form/attributes/form-attributes.ts';
import { type FormPlan, formPlanOf } from '../form/attributes/form-plan.ts';
import { formatValue, nameOfInstance } from '../values/format-value.ts';

interface StateDialogProps {
  readonly entity: string;
  readonly title: string;
  /** Another one is another state. */
  readonly subject: readonly unknown[];
  readonly load: (plan: FormPlan, signal: AbortSignal) => Promise<object | undefined>;
  readonly onClose: () => void;
}

/** An instance that is only shown: as it was, or in the bin. */
export function StateDialog({ entity, title, subject, load, onClose }: StateDialogProps) {
  const text = useText();
  const { entities, rights } = useModel();
  const plan = useMemo(
    () => formPlanOf(entities, (each) => storedAttributesOf(each, rights), entity),
    [entities, rights, entity],
  );
  const { data, error, refetch } = useQuery({
    queryKey: ['state', entity, ...subject],
    queryFn: async ({ signal }) => (await load(plan, signal)) ?? null,
    gcTime: 0,
  });
  return (
    <SideDialog title={title} onClose={onClose}>
      {(error !== null || data === undefined) && <Pending error={error} onRetry={refetch} />}
      {data === null && <Text size="sm">{text('history.noState')}</Text>}
      {data && <StateView entity={entity} values={data as Values} />}
    </SideDialog>
  );
}

interface StateViewProps {
  readonly entity: string;
  readonly values: Values;
}

/** The values of an instance, with the children of its compositions. */
function StateView({ entity: declared, values }: StateViewProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { entities, enums, rights } = model;
  const entity = entityOfValue(entities, values, declared);
  const info = entities.get(entity);
  if (info === undefined) return null;
  const fields = storedAttributesOf(info, rights).filter(({ attribute: { name } }) => values[name] !== undefined);
  const isInside = ({ widget }: FormAttribute): boolean => ['embedded', 'lines', 'part'].includes(widget);
  const captionOfField = ({ attribute }: FormAttribute): string => captionOf(model, entity, attribute.name);
  return (
    <Stack gap="xs">
      <DataTable
        label={nameOfInstance(values)}
        rows={fields.filter((field) => !isInside(field))}
        keyOf={({ attribute }) => attribute.name}
        minWidth={260}
        columns={[
          { caption: text('history.attribute'), cell: captionOfField, wraps: true },
          {
            caption: text('history.value'),
            wraps: true,
            cell: ({ attribute }) => (
              <bdi>{formatValue(values[attribute.name], attribute, { locale, text, enums }) || '–'}</bdi>
            ),
          },
        ]}
      />
      {fields.filter(isInside).map((field) => {
        const { name, type } = field.attribute;
        const value = values[name];
        const parts = Array.isArray(value) ? linesOf(value) : isObject(value) ? [value] : [];
        return parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may have no ids, and the parts of a former state do not move
          <Stack key={`${name} ${at}`} gap={4} component="section" ps="md">
            <Text size="sm" fw={600}>
              {captionOfField(field)}
            </Text>
            <StateView entity={type} values={part} />
          </Stack>
        ));
      })}
    </Stack>
  );
}
