import { SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { captionOf, useLanguage, useModel } from '../../context.ts';
import '@mantine/core/styles/SimpleGrid.css';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { SearchWords } from '../../controls/search-words.tsx';
import { afterFirstLoad } from '../../shell/after-first-load.ts';
import classes from './data.module.css';
import { keptList } from './list/list-memory.ts';
import { SavedQuestions } from './list/questions/saved-questions.tsx';
import { SavedViews } from './list/views/saved-views.tsx';
import { matchesWords } from './matches-words.ts';
import { isSystemEntity, listedEntities } from './readable-entities.ts';
import { RecordLinks } from './recent/record-links.tsx';

const Tasks = lazy(() => afterFirstLoad(async () => ({ default: (await import('./recent/tasks.tsx')).Tasks })));
/** The permissions for numbers of tasks. */
const TASKS = ['jobs.read', 'dead-letters.view', 'health.view'];

/** All entities that the user may read, and the saved questions. */
export function EntitiesPage() {
  const { text, locale } = useLanguage();
  const model = useModel();
  const [words, setWords] = useState('');
  const shown = listedEntities(model, locale).filter(({ entityName }) =>
    matchesWords(words, captionOf(model, entityName), entityName),
  );
  const system = shown.filter(isSystemEntity);
  return (
    <Stack>
      <Title order={1}>{text('data.title')}</Title>
      {model.isSeen !== true && <RecordLinks kind="favourites" />}
      <SearchWords label={text('data.findEntity')} words={words} onChange={setWords} />
      {shown.length === 0 && <Text>{text('data.noEntity')}</Text>}
      <EntityCards entities={shown.filter((each) => !isSystemEntity(each))} />
      {system.length > 0 && (
        // What is searched for is shown.
        <details open={words !== '' || system.length === shown.length}>
          <summary className={classes['system']}>{text('data.system')}</summary>
          <EntityCards entities={system} />
        </details>
      )}
      {model.isSeen !== true && (
        <>
          {TASKS.some((permission) => model.rights.has(permission)) && (
            <Suspense fallback={null}>
              <Tasks />
            </Suspense>
          )}
          <RecordLinks kind="recent" />
          <SavedViews />
          <SavedQuestions />
        </>
      )}
    </Stack>
  );
}

function EntityCards({ entities }: { readonly entities: readonly { readonly entityName: string }[] }) {
  const model = useModel();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
      {entities.map(({ entityName }) => (
        <UnstyledButton
          key={entityName}
          component={Link}
          to={`/data/${entityName}`}
          search={keptList(model.user.username, entityName) as never}
          className={classes['card']}
          title={entityName}
        >
          <Text fw={500}>{captionOf(model, entityName)}</Text>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  );
}
