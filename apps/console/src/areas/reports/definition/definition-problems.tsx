import { List, Text } from '@mantine/core';
import '@mantine/core/styles/List.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';

const CHECK_AFTER_MS = 400;

/** What a run would refuse in a definition; the server checks it while it is written. */
export function DefinitionProblems({ definition }: { readonly definition: string }) {
  const text = useText();
  const { connection } = useModel();
  const [checked] = useDebouncedValue(definition, CHECK_AFTER_MS);
  const { data } = useQuery({
    queryKey: ['definition-check', checked],
    queryFn: async ({ signal }) => {
      const call = { method: 'POST', path: '/rest/reports/definition/check', repeatable: true, signal };
      return (await connection.read({ ...call, json: { definition: checked } })).body as {
        readonly problems: readonly string[];
      };
    },
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return null;
  if (data.problems.length === 0)
    return (
      <Text size="sm" role="status">
        {text('definition.noProblem')}
      </Text>
    );
  return (
    <div role="status">
      <Text size="sm" fw={500}>
        {text('definition.problems', { count: data.problems.length })}
      </Text>
      <List size="sm">
        {data.problems.map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
    </div>
  );
}
