import type { Values } from '@lintel/react';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useModel, useText } from '../../../context.ts';
import { SideDialog } from '../../../controls/side-dialog.tsx';
import { Pending } from '../../../shell/pending.tsx';
import { storedAttributesOf } from '../form/attributes/form-attributes.ts';
import { type FormPlan, formPlanOf } from '../form/attributes/form-plan.ts';
import { StateView } from './state-view.tsx';

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
