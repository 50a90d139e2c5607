import { Anchor, type AnchorProps } from '@mantine/core';
import { Link, type LinkComponentProps } from '@tanstack/react-router';

/** A link to a page of the console, as large as the words around it. */
export const TextLink = (props: AnchorProps & Omit<LinkComponentProps<'a'>, keyof AnchorProps>) => (
  <Anchor component={Link} size="sm" {...props} />
);
