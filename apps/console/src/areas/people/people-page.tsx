import { SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRights, useText } from '../../context.ts';
import classes from './people.module.css';
import { peoplePages } from './people-pages.ts';

/** The pages of the area. */
export function PeoplePage() {
  const text = useText();
  return (
    <Stack>
      <Title order={1}>{text('area.people')}</Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {peoplePages(useRights()).map((page) => (
          <UnstyledButton key={page} component={Link} to={`/people/${page}`} className={classes['card']}>
            <Text fw={500}>{text(`people.${page}`)}</Text>
            <Text size="sm">{text(`people.${page}.about`)}</Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
