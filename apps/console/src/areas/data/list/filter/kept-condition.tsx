import type { AnyCondition } from '@lintel/client';
import { ActionIcon, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useLanguage, useModel } from '../../../../context.ts';
import { describeNode } from './describe-node.ts';

interface KeptConditionProps {
  readonly entityName: string;
  readonly node: AnyCondition;
  readonly onRemove: () => void;
}

/** A condition in words, which stays as it is. */
export function KeptCondition({ entityName, node, onRemove }: KeptConditionProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  return (
    <Group gap="xs" role="group" aria-label={text('filter.condition')}>
      <Text size="sm">{describeNode(node, entityName, { model, text, locale })}</Text>
      <ActionIcon size={36} aria-label={text('filter.removeCondition')} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
