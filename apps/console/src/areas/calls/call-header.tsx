import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../context.ts';
import { Hint, TextLink } from '../../controls/texts.tsx';

interface CallHeaderProps {
  readonly name: string;
  /** What it belongs to: an entity or a service. */
  readonly of: string;
  readonly children?: ReactNode;
}

/** The head of the page of a query or a method. */
export function CallHeader({ name, of, children }: CallHeaderProps) {
  const text = useText();
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <TextLink to="/calls">{text('calls.title')}</TextLink>
        <Title order={1}>{name}</Title>
        <Hint>{of}</Hint>
      </div>
      {children}
    </Group>
  );
}
