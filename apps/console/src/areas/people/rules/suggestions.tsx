import { Button, Group, Text } from '@mantine/core';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { completionsOf } from './completions.ts';

interface SuggestionsProps {
  readonly entityName: string;
  readonly value: string;
  readonly onInsert: (value: string) => void;
}

/** What can be written next, from the metadata. */
export function Suggestions({ entityName, value, onInsert }: SuggestionsProps) {
  const text = useText();
  const { entities } = useModel();
  const completions = completionsOf(entities, entityName, value);
  if (completions.length === 0) return null;
  return (
    <Group gap={4}>
      <Text size="xs">{text('rules.next')}</Text>
      {completions.map((completion) => (
        <Button key={completion.label} size="compact-xs" variant="default" onClick={() => onInsert(completion.value)}>
          {completion.label}
        </Button>
      ))}
    </Group>
  );
}
