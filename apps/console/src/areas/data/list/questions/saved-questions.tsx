import { Button, SimpleGrid, Stack } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../../context.ts';
import { TextLink } from '../../../../controls/texts.tsx';
import '@mantine/core/styles/SimpleGrid.css';
import { lazy, Suspense, useState } from 'react';
import { ErrorAlert, Waiting } from '../../../../errors/pending.tsx';
import classes from '../../data.module.css';
import { searchOf, useViews } from '../views/views-api.ts';

// Pages without questions load no charts.
const QuestionChart = lazy(async () => ({ default: (await import('./question-chart.tsx')).QuestionChart }));

/** Charts that are read at first. */
const SHOWN_AT_FIRST = 6;

/** Questions of saved views, of the user and shared ones, each as its chart. */
export function SavedQuestions() {
  const text = useText();
  const model = useModel();
  const [isAll, setAll] = useState(false);
  const { views = [], error, refetch } = useViews();
  const asked = views.filter(({ entityName, question }) => question !== undefined && model.entities.has(entityName));
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (asked.length === 0) return null;
  return (
    <Stack component="section" aria-label={text('question.saved')}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        {asked.slice(0, isAll ? asked.length : SHOWN_AT_FIRST).map((view) => (
          <div key={view.id} className={classes['card']}>
            <Suspense fallback={<Waiting />}>
              <QuestionChart entityName={view.entityName} question={view.question ?? {}} caption={view.name} />
            </Suspense>
            <TextLink to={`/data/${view.entityName}`} search={searchOf(view) as never}>
              {text('question.open', { name: captionOf(model, view.entityName) })}
            </TextLink>
          </div>
        ))}
      </SimpleGrid>
      {!isAll && asked.length > SHOWN_AT_FIRST && (
        <Button onClick={() => setAll(true)}>{text('question.all', { count: asked.length })}</Button>
      )}
    </Stack>
  );
}
