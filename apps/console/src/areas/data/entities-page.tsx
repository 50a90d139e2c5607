import { SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.css';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { SearchWords } from '../../controls/search-words.tsx';
import { useLanguage } from '../../language/text-provider.tsx';
import { captionOf } from '../../model/model.ts';
import { useModel } from '../../model/model-provider.tsx';
import { AreaTexts } from '../../shell/area-frame.tsx';
import classes from './data.module.css';
import { keptList } from './list/list-memory.ts';
import { matchesWords } from './matches-words.ts';
import { listedEntities } from './readable-entities.ts';

const SavedQuestions = lazy(async () => ({
  default: (await import('./list/questions/saved-questions.tsx')).SavedQuestions,
}));

/** All entities that the user may read, and the saved questions. */
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
      <SearchWords label={text('data.findEntity')} words={words} onChange={setWords} />
      {shown.length === 0 && <Text>{text('data.noEntity')}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {shown.map(({ entityName }) => (
          <UnstyledButton
            key={entityName}
            component={Link}
            to={`/data/${entityName}`}
            search={keptList(model.user.username, entityName) as never}
            className={classes['card']}
          >
            <Text fw={500}>{captionOf(model, entityName)}</Text>
            <Text size="xs" c="dimmed">
              {entityName}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {model.isSeen !== true && (
        <AreaTexts area="data/more">
          <Suspense fallback={null}>
            <SavedQuestions />
          </Suspense>
        </AreaTexts>
      )}
    </Stack>
  );
}
