import { Accordion, Badge, Group, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { ErrorAlert } from '../../errors/error-alert.tsx';
import { useText } from '../../language/text-provider.tsx';
import { Waiting } from '../../shell/waiting.tsx';
import { matchesWords } from '../data/matches-words.ts';
import type { ApiOperation } from './document/api-document.ts';
import { useOperations } from './document/use-operations.ts';

/** With no more operations found, all of them are open. */
const OPEN_UP_TO = 30;

/** The operations of the API that the user may call. */
export function ApiPage() {
  const text = useText();
  const [words, setWords] = useState('');
  const searched = useDeferredValue(words);
  const { data, error, refetch } = useOperations();
  const found = useMemo(
    () => (data ?? []).filter(({ tag, path, summary, method }) => matchesWords(searched, tag, path, summary, method)),
    [data, searched],
  );
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const groups = [...Map.groupBy(found, ({ tag }) => tag)];
  const isOpen = searched !== '' && found.length <= OPEN_UP_TO;
  return (
    <Stack>
      <Title order={1}>{text('api.title')}</Title>
      <Text size="sm">{text('api.about')}</Text>
      <TextInput
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        leftSection={<IconSearch size={16} />}
        aria-label={text('api.find')}
        placeholder={text('api.find')}
        maw={420}
      />
      <Text size="sm" role="status">
        {text('api.found', { count: found.length })}
      </Text>
      <Accordion
        key={String(isOpen)}
        multiple
        variant="contained"
        defaultValue={isOpen ? groups.map(([tag]) => tag) : []}
        keepMounted={false}
      >
        {groups.map(([tag, operations]) => (
          <Accordion.Item key={tag} value={tag}>
            <Accordion.Control>{`${tag} (${operations.length})`}</Accordion.Control>
            <Accordion.Panel>
              <Stack gap={4}>
                {operations.map((operation) => (
                  <OperationLink key={operation.id} operation={operation} />
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}

const OperationLink = ({ operation }: { readonly operation: ApiOperation }) => (
  <UnstyledButton component={Link} to={`/api/${encodeURIComponent(operation.id)}`} py={4}>
    <Group gap="xs">
      <Badge variant="default" tt="none" miw={64}>
        {operation.method}
      </Badge>
      <Text
        size="sm"
        ff="monospace"
        style={{ overflowWrap: 'anywhere' }}
        td={operation.isDeprecated ? 'line-through' : undefined}
      >
        {operation.path}
      </Text>
      <Text size="sm" c="dimmed">
        {operation.summary}
      </Text>
    </Group>
  </UnstyledButton>
);
