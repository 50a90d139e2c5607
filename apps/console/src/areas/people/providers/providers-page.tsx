import { Alert, Badge, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useApi, useLanguage, useRights, useText } from '../../../context.ts';
import { ErrorAlert, Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';

interface IdentityProvider {
  readonly name: string;
  readonly kind: string;
  readonly title: string | null;
  readonly settings: readonly { readonly name: string; readonly value: string }[];
  readonly addresses: readonly { readonly kind: string; readonly url: string }[];
}

interface ProviderTest {
  readonly successful: boolean;
  readonly durationMs: number;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/** Addresses are longer than a phone is wide. */
const WRAPPING = { display: 'inline-block', overflowWrap: 'anywhere' } as const;

/** The identity providers and directories of the configuration, each with a test of its connection. */
export function ProvidersPage() {
  const text = useText();
  const { data, error, refetch } = useRead<readonly IdentityProvider[]>(
    ['people', 'providers'],
    'operations',
    '/identity-providers',
  );
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Title order={1}>{text('people.providers')}</Title>
      {data.length === 0 && (
        <Text size="sm">
          {text('providers.none')} <Code>svc.auth.provider</Code>, <Code>svc.auth.directory</Code>,{' '}
          <Code>svc.resource-server</Code>
        </Text>
      )}
      {data.map((provider) => (
        <Provider key={provider.name} provider={provider} />
      ))}
    </Stack>
  );
}

function Provider({ provider }: { readonly provider: IdentityProvider }) {
  const text = useText();
  const rights = useRights();
  const api = useApi();
  const { name, kind, title, settings, addresses } = provider;
  const test = useMutation({
    mutationFn: () =>
      api.send<ProviderTest>('POST', 'operations', `/identity-providers/${encodeURIComponent(name)}/test`),
  });
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2}>{name}</Title>
            <Badge variant="default">{text(`providers.kind.${kind}`)}</Badge>
            {title !== null && title !== name && <Text size="sm">{title}</Text>}
          </Group>
          {rights.has('identity-providers.test') && (
            <Button loading={test.isPending} onClick={() => test.mutate()}>
              {text('providers.test')}
            </Button>
          )}
        </Group>
        {test.error !== null && <ErrorAlert error={test.error} />}
        {test.data !== undefined && (
          <Outcome
            outcome={test.data}
            fails={text(kind === 'token-issuer' ? 'providers.failsTokens' : 'providers.fails')}
          />
        )}
        {addresses.length > 0 && (
          <DataTable
            label={`${text('providers.addresses')}: ${name}`}
            rows={addresses}
            keyOf={(address) => address.kind}
            empty=""
            columns={[
              {
                caption: text('providers.addresses'),
                cell: (address) => text(`providers.address.${address.kind}`),
              },
              { caption: text('providers.url'), cell: ({ url }) => <Code style={WRAPPING}>{url}</Code> },
            ]}
          />
        )}
        <details>
          <Text component="summary" size="sm">
            {text('providers.settings')}
          </Text>
          <DataTable
            label={`${text('providers.settings')}: ${name}`}
            rows={settings}
            keyOf={(setting) => setting.name}
            empty=""
            columns={[
              { caption: text('providers.setting'), cell: (setting) => <Code>{setting.name}</Code> },
              { caption: text('providers.value'), cell: ({ value }) => <span style={WRAPPING}>{value}</span> },
            ]}
          />
        </details>
      </Stack>
    </Card>
  );
}

function Outcome({ outcome, fails }: { readonly outcome: ProviderTest; readonly fails: string }) {
  const { text, locale } = useLanguage();
  const { successful, durationMs, problems } = outcome;
  const duration = new Intl.NumberFormat(locale).format(durationMs);
  if (successful)
    return (
      <Alert color="green" role="status">
        {text('providers.works', { duration })}
      </Alert>
    );
  return (
    <Alert color="red" role="status" title={fails}>
      <ul style={{ margin: 0, paddingInlineStart: 20, overflowWrap: 'anywhere' }}>
        {problems.map(({ code, message }) => (
          <li key={message}>
            <b>{text(`providers.problem.${code}`)}</b>: {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
