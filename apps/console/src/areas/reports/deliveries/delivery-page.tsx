import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useModel, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { DELIVERY, type Delivery, useReports } from './delivery.ts';
import { DeliveryForm, FIELDS } from './delivery-form.tsx';

const NEW = 'new';
const KEY = ['report-deliveries'];
const READS = [KEY];

/** The form of a report on a schedule, or of a new one. */
export function DeliveryPage() {
  const { delivery: id = NEW } = useParams({ strict: false }) as { readonly delivery?: string };
  const { report } = useSearch({ strict: false }) as { readonly report?: string };
  const text = useText();
  const { client, rights, user } = useModel();
  const navigate = useNavigate();
  const reports = useReports();
  const { data, error, refetch } = useQuery({
    queryKey: [...KEY, id],
    queryFn: async ({ signal }) =>
      (await client.load(DELIVERY, id, { fetchPlan: '_local', signal })) as unknown as Delivery,
    enabled: id !== NEW,
  });
  const back = (): void => void navigate({ to: '/reports/deliveries' });
  const save = useAction(
    (values: Readonly<Record<string, unknown>>) =>
      id === NEW ? client.create(DELIVERY, values) : client.update(DELIVERY, id, values),
    { reads: READS, done: text('delivery.saved'), onDone: back, fields: FIELDS },
  );
  const remove = useAction(() => client.remove(DELIVERY, id), { reads: READS, onDone: back });
  const failure = error ?? reports.error;
  if (failure !== null || reports.data === undefined || (id !== NEW && data === undefined))
    return <Pending error={failure} onRetry={refetch} />;
  return (
    <Stack>
      <Title order={1}>{data?.name ?? text('delivery.create')}</Title>
      {data !== undefined && data.owner !== user.username && (
        <Text size="sm">{text('delivery.ofOther', { owner: data.owner })}</Text>
      )}
      <DeliveryForm
        delivery={data}
        report={report}
        reports={reports.data}
        isSaving={save.isPending}
        error={save.error}
        onSave={(values) => save.mutate(values)}
        onCancel={back}
      >
        {data !== undefined && rights.may(DELIVERY, 'delete') && (
          <ConfirmButton
            label={text('delivery.remove')}
            question={text('delivery.removeText', { name: data.name })}
            action={remove}
          />
        )}
      </DeliveryForm>
    </Stack>
  );
}
