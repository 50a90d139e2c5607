import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useText } from '../../../../context.ts';
import { neighboursOf } from '../../list/list-memory.ts';

const ICONS = { previous: IconChevronLeft, next: IconChevronRight } as const;

/** Links to the forms of the rows before and after the one with this path, in the list that was shown last. */
export function Neighbours({ path }: { readonly path: string }) {
  const text = useText();
  const neighbours = neighboursOf(path);
  return (['previous', 'next'] as const).map((each) => {
    const to = neighbours[each];
    const Icon = ICONS[each];
    return (
      to !== undefined && (
        <ActionIcon key={each} component={Link} to={to} size="input-sm" aria-label={text(`form.${each}`)}>
          <Icon size={16} aria-hidden />
        </ActionIcon>
      )
    );
  });
}
