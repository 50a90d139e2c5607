import { SimpleGrid, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.css';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLanguage } from '../../language/text-provider.tsx';
import { captionOf } from '../../model/model.ts';
import { useModel } from '../../model/model-provider.tsx';
import classes from './data.module.css';
import { matchesWords } from './matches-words.ts';
import { listedEntities } from './readable-entities.ts';

/** All entities that the user may read. */
export function EntitiesPage() {
  const { text, locale } = useLanguage();
  const model = useModel();
  const [words, setWords] = useState('');
  const shown = listedEntities(model, locale).filter(({ entityName }) =>
    matchesWords(words, captionOf(model, entityName), entityName),
  );
  return (
    <Stack>
      <Title order={1}>{text('data.title')}</Title>
      <TextInput
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        leftSection={<IconSearch size={16} />}
        aria-label={text('data.findEntity')}
        placeholder={text('data.findEntity')}
        maw={420}
      />
      {shown.length === 0 && <Text>{text('data.noEntity')}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {shown.map(({ entityName }) => (
          <UnstyledButton key={entityName} component={Link} to={`/data/${entityName}`} className={classes['card']}>
            <Text fw={500}>{captionOf(model, entityName)}</Text>
            <Text size="xs" c="dimmed">
              {entityName}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
