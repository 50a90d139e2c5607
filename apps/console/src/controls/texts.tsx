import { Anchor, type AnchorProps, Text } from '@mantine/core';
import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to a page of the console, as large as the words around it. */
export const TextLink = (props: AnchorProps & Omit<LinkComponentProps<'a'>, keyof AnchorProps>) => (
  <Anchor component={Link} size="sm" {...props} />
);

/** Words that say more about what is beside them. */
export const Hint = ({ children }: { readonly children: ReactNode }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
);
