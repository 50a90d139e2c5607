import { Hint } from './texts.tsx';
import '@mantine/core/styles/SimpleGrid.css';
import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './page-cards.module.css';

/** A page of the console. */
export interface PageCard {
  readonly to: string;
  readonly search?: unknown;
  readonly name: string;
  /** A line below the name. */
  readonly about?: string;
  readonly title?: string;
}

/** Pages of the console as cards that lead to them. */
export const PageCards = ({ pages }: { readonly pages: readonly PageCard[] }) => (
  <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
    {pages.map(({ to, search, name, about, title }) => (
      <UnstyledButton
        key={to}
        component={Link}
        to={to}
        search={search as never}
        className={classes['card']}
        title={title}
      >
        <Text fw={500}>{name}</Text>
        {about !== undefined && <Hint>{about}</Hint>}
      </UnstyledButton>
    ))}
  </SimpleGrid>
);
