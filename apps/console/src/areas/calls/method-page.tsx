import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../context.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { ChoiceField } from '../../controls/forms.tsx';
import { TextLink } from '../../controls/texts.tsx';
import { parameterErrors } from '../../errors/parameter-of-error.ts';
import { ErrorAlert, Pending } from '../../errors/pending.tsx';
import { CopyRequest } from '../../requests/copy-request.tsx';
import { pathWithQuery } from '../../requests/described-request.ts';
import { CallHeader } from './call-header.tsx';
import { fittingOverload, type MethodInfo } from './call-info.ts';
import { methodRequest } from './call-requests.ts';
import { ParameterForm } from './fields/parameter-form.tsx';
import { type Entered, isEmpty } from './fields/value-type.ts';
import { ResultView } from './results/result-view.tsx';
import { useMethodInfos } from './use-call-infos.ts';

/** A service method: a form for its parameters, and its result, which stays until the page is left. */
export function MethodPage() {
  const { service = '', method: name = '' } = useParams({ strict: false }) as Readonly<Record<string, string>>;
  const text = useText();
  const { data, error, refetch } = useMethodInfos();
  const given = useSearch({ strict: false }) as Entered;
  const [chosen, setChosen] = useState<number>();
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const overloads = data.filter((each) => each.service === service && each.name === name);
  const at = chosen ?? fittingOverload(overloads, given);
  const method = overloads[at];
  if (method === undefined) return <Alert color="yellow">{text('calls.noMethod', { name })}</Alert>;
  return (
    <Stack>
      {overloads.length > 1 && (
        <ChoiceField
          maw={560}
          label={text('calls.overload')}
          value={String(at)}
          onChange={(value) => setChosen(Number(value))}
          data={overloads.map(({ params }, index) => ({
            value: String(index),
            label: params.length === 0 ? text('calls.noParameters') : params.map((each) => each.name).join(', '),
          }))}
        />
      )}
      <MethodForm key={`${service} ${name} ${at}`} method={method} given={given} />
    </Stack>
  );
}

function MethodForm({ method, given }: { readonly method: MethodInfo; readonly given: Entered }) {
  const { service, name, params, returns, confirm } = method;
  const text = useText();
  const { connection } = useModel();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const call = useMutation({
    mutationFn: async ({ entered, inBackground }: Asked) => {
      const request = methodRequest(connection.paths, method, entered);
      const { body } = await connection.read({
        method: request.method,
        path: pathWithQuery(request),
        repeatable: false,
        ...(inBackground && { headers: { prefer: 'respond-async' } }),
        ...(request.body !== undefined && { json: request.body }),
      });
      return { body, inBackground };
    },
    // A method can change any instance.
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => ['list', 'instance', 'query'].includes(String(queryKey[0])),
      }),
  });
  const run = (given: Asked): void => {
    const { entered } = given;
    const search = Object.fromEntries(Object.entries(entered).filter(([, value]) => !isEmpty(value)));
    void navigate({ to: '.', search: search as never, replace: true });
    call.mutate(given);
  };
  const errors = parameterErrors(
    call.error,
    params.map((type) => type.name),
  );
  return (
    <Stack>
      <CallHeader name={name} of={service}>
        <CopyRequest request={methodRequest(connection.paths, method, given)} />
      </CallHeader>
      <ParameterForm
        types={params}
        given={given}
        errors={errors}
        isRunning={call.isPending}
        label={text('calls.call')}
        onRun={(entered, inBackground) => (confirm ? setAsked : run)({ entered, inBackground })}
        backgroundLabel={method.longRunning ? text('calls.inBackground') : undefined}
      />
      {asked !== undefined && (
        <ConfirmCall
          name={name}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined);
            run(asked);
          }}
        />
      )}
      {call.error !== null && errors.size === 0 && <ErrorAlert error={call.error} />}
      {call.data?.inBackground === true && (
        <Alert color="green" role="status">
          {text('calls.started')} <TextLink to="/calls/runs">{text('calls.runs')}</TextLink>
        </Alert>
      )}
      {call.data?.inBackground === false && <ResultView type={returns} result={call.data.body} />}
    </Stack>
  );
}

/** A call of the form. */
interface Asked {
  readonly entered: Entered;
  readonly inBackground: boolean;
}

interface ConfirmCallProps {
  readonly name: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** Asks before a method is called that the application declares so. */
function ConfirmCall({ name, onCancel, onConfirm }: ConfirmCallProps) {
  const text = useText();
  return (
    <Dialog onClose={onCancel} title={text('calls.confirm', { name })}>
      <Text size="sm">{text('calls.confirmText')}</Text>
      <Group justify="end" mt="md">
        <Button onClick={onCancel}>{text('calls.cancel')}</Button>
        <Button variant="filled" onClick={onConfirm}>
          {text('calls.call')}
        </Button>
      </Group>
    </Dialog>
  );
}
