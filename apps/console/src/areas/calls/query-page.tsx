import { Alert, Code, Group, Pagination, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { captionOf, useModel, useText } from '../../context.ts';
import { parameterErrors } from '../../errors/parameter-of-error.ts';
import { ErrorAlert, Pending } from '../../errors/pending.tsx';
import { CopyRequest } from '../../requests/copy-request.tsx';
import { CallHeader } from './call-header.tsx';
import type { QueryInfo } from './call-info.ts';
import { offsetOf, PAGE_SIZE, queryRequest } from './call-requests.ts';
import { ParameterForm } from './fields/parameter-form.tsx';
import { type Entered, type NamedType, sentValues } from './fields/value-type.ts';
import type { Row } from './results/result-columns.ts';
import { RowsTable } from './results/rows-table.tsx';
import { useQueryInfos } from './use-call-infos.ts';

/** A predefined query: its parameters, which the address has, and its rows. */
export function QueryPage() {
  const { entity = '', query: name = '' } = useParams({ strict: false }) as Readonly<Record<string, string>>;
  const text = useText();
  const { data, error, refetch } = useQueryInfos();
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const query = data.find((each) => each.entityName === entity && each.name === name);
  if (query === undefined) return <Alert color="yellow">{text('calls.noQuery', { name })}</Alert>;
  return <QueryForm key={`${entity} ${name}`} query={query} />;
}

function QueryForm({ query }: { readonly query: QueryInfo }) {
  const { name, entityName, jpql, params, returns } = query;
  const text = useText();
  const model = useModel();
  const { client, connection } = model;
  const navigate = useNavigate();
  // No parameter of a query can have the name `offset`.
  const { offset: skipped = 0, ...given } = useSearch({ strict: false }) as Entered & { readonly offset?: number };
  const types = params.map((parameter): NamedType => ({ ...parameter, required: true }));
  const isComplete = types.every(({ name: parameter }) => parameter in given);
  const parameters = sentValues(types, given);
  const offset = offsetOf(skipped);
  const rows = useQuery({
    queryKey: ['query', entityName, name, { parameters, offset }],
    queryFn: ({ signal }) => client.query(entityName, name, parameters, { limit: PAGE_SIZE, offset, signal }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const total = useQuery({
    queryKey: ['query-count', entityName, name, { parameters }],
    queryFn: ({ signal }) => client.queryCount(entityName, name, parameters, { signal }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const open = (search: Entered): void => void navigate({ to: '.', search: search as never });
  const errors = parameterErrors(
    rows.error,
    types.map((type) => type.name),
  );
  return (
    <Stack>
      <CallHeader name={name} of={`${captionOf(model, entityName)} · ${entityName}`}>
        <CopyRequest request={queryRequest(connection.paths, query, parameters, offset)} />
      </CallHeader>
      <details>
        <summary>{text('calls.text')}</summary>
        <Code block tabIndex={0}>
          {jpql}
        </Code>
      </details>
      <ParameterForm
        types={types}
        given={given}
        errors={errors}
        isRunning={rows.isFetching}
        label={text('calls.run')}
        onRun={(entered) => {
          const search = Object.fromEntries(types.map((type) => [type.name, entered[type.name] ?? []]));
          if (isComplete && offset === 0 && JSON.stringify(search) === JSON.stringify(given)) {
            void rows.refetch();
            void total.refetch();
          } else open(search);
        }}
      />
      {rows.error !== null && errors.size === 0 && (
        <ErrorAlert error={rows.error} onRetry={() => void rows.refetch()} />
      )}
      {isComplete && rows.data !== undefined && rows.error === null && (
        <Stack gap="sm" component="section" aria-label={text('calls.result')}>
          <RowsTable
            label={name}
            rows={rows.data as unknown as readonly Row[]}
            entityName={returns === 'instances' ? entityName : undefined}
            isOutdated={rows.isPlaceholderData}
          />
          <Group justify="space-between">
            <Text size="sm" role="status">
              {total.data !== undefined && text('calls.rows', { count: total.data })}
            </Text>
            {(total.data ?? 0) > PAGE_SIZE && (
              <Pagination
                total={Math.ceil((total.data ?? 0) / PAGE_SIZE)}
                value={offset / PAGE_SIZE + 1}
                onChange={(chosen) => open({ ...given, offset: (chosen - 1) * PAGE_SIZE })}
                getControlProps={(control) => ({ 'aria-label': text(`calls.page.${control}`) })}
                getItemProps={(item) => ({ 'aria-label': text('calls.page.item', { count: item }) })}
                size="sm"
              />
            )}
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
