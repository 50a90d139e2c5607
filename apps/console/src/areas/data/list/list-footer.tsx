import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useText } from '../../../context.ts';
import type { useListPage } from './use-list-page.ts';

interface ListFooterProps {
  readonly page: Pick<ReturnType<typeof useListPage>, 'total' | 'pageNumber' | 'previous' | 'next'>;
  readonly isCounted: boolean;
  readonly onCount: () => void;
}

/** How many instances there are, and the other pages. */
export function ListFooter({ page, isCounted, onCount }: ListFooterProps) {
  const text = useText();
  const { total, pageNumber, previous, next } = page;
  // A list of one page is counted already.
  const isExact = isCounted || (pageNumber === 1 && next === undefined);
  return (
    <Group justify="space-between">
      <Group gap="xs">
        {total !== undefined && (
          <Text size="sm">{text(isExact ? 'list.rows' : 'list.estimated', { count: total })}</Text>
        )}
        {total !== undefined && !isExact && (
          <Button size="compact-sm" onClick={onCount}>
            {text('list.count')}
          </Button>
        )}
      </Group>
      <Group gap="xs">
        <Text size="sm">{text('list.page', { count: pageNumber })}</Text>
        <ActionIcon aria-label={text('list.previous')} disabled={previous === undefined} onClick={previous}>
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon aria-label={text('list.next')} disabled={next === undefined} onClick={next}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
