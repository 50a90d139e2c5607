import { SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useModel, useText } from '../../context.ts';
import classes from './running.module.css';
import { RUNNING_PAGES } from './running-pages.ts';

/** What there is to see of the running system. */
export function FirstPage() {
  const text = useText();
  const model = useModel();
  return (
    <Stack>
      <Title order={1}>{text('running.title')}</Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {RUNNING_PAGES.filter(({ isShown }) => isShown(model)).map(({ name }) => (
          <UnstyledButton key={name} component={Link} to={`/running/${name}`} className={classes['card']}>
            <Text fw={500}>{text(`running.${name}`)}</Text>
            <Text size="xs" c="dimmed">
              {text(`running.${name}.about`)}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
