import { Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../context.ts';
import { PageCards } from '../../controls/page-cards.tsx';
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
    <PageCards
      pages={entities.map(({ entityName }) => ({
        to: `/data/${entityName}`,
        search: keptList(model.user.username, entityName),
        name: captionOf(model, entityName),
        title: entityName,
      }))}
    />
  );
}
