import { Alert, Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { ErrorAlert } from '../../errors/error-alert.tsx';
import { useText } from '../../language/text-provider.tsx';
import type { ExplorerSearch } from '../../requests/explorer-search.ts';
import { Waiting } from '../../shell/waiting.tsx';
import { keyOf, type MatchedOperation, matchOperation } from './document/match-operation.ts';
import { useOperations } from './document/use-operations.ts';
import { OperationForm } from './operation-form.tsx';

/** An operation by its id. */
export function OperationPage() {
  const { operation: id = '' } = useParams({ strict: false }) as { readonly operation?: string };
  const { data, error, refetch } = useOperations();
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const operation = data.find((each) => each.id === id);
  if (operation === undefined) return <Unknown name={id} />;
  const values = new Map(
    operation.parameters.flatMap(({ name, in: location, required, example }): [string, string][] =>
      required === true && example !== undefined ? [[keyOf(location, name), String(example)]] : [],
    ),
  );
  return <Operation key={id} found={{ operation, values }} body={undefined} />;
}

/** The operation of a request of another page, with the values of that request. */
export function RequestPage() {
  const { method = '', target = '', body } = useSearch({ strict: false }) as Partial<ExplorerSearch>;
  const { data, error, refetch } = useOperations();
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const found = matchOperation(data, method, target);
  if (found === undefined) return <Unknown name={`${method} ${target}`} />;
  const text = typeof body === 'object' ? JSON.stringify(body, null, 2) : body === undefined ? undefined : String(body);
  return <Operation key={`${method} ${target}`} found={found} body={text} />;
}

const Unknown = ({ name }: { readonly name: string }) => {
  const text = useText();
  return <Alert color="yellow">{text('api.unknown', { name })}</Alert>;
};

interface OperationProps {
  readonly found: MatchedOperation;
  /** Instead of the example. */
  readonly body: string | undefined;
}

function Operation({ found, body }: OperationProps) {
  const text = useText();
  const { method, path, summary, description, isDeprecated } = found.operation;
  return (
    <Stack>
      <div>
        <Anchor component={Link} to="/api" size="sm">
          {text('api.title')}
        </Anchor>
        <Title order={1} size="h3">
          {summary}
        </Title>
        <Group gap="xs" mt={4}>
          <Badge variant="default" tt="none">
            {method}
          </Badge>
          <Text component="code" ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {path}
          </Text>
          {isDeprecated && (
            <Badge variant="default" tt="none">
              {text('api.deprecated')}
            </Badge>
          )}
        </Group>
      </div>
      <Text size="sm">{description.replaceAll('`', '')}</Text>
      <OperationForm operation={found.operation} values={found.values} body={body} />
    </Stack>
  );
}
