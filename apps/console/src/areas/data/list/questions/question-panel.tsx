import type { ConditionGroup } from '@lintel/client';
import { resolvePath } from '@lintel/react';
import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useModel, useText } from '../../../../context.ts';
import { ChoiceField } from '../../../../controls/forms.tsx';
import { PathSelect } from '../../paths/path-select.tsx';
import classes from '../list.module.css';
import type { ListState } from '../list-state.ts';
import type { ChangeList } from '../use-list-state.ts';
import { useViews } from '../views/views-api.ts';
import { contentOf, NewView } from '../views/views-panel.tsx';
import { QuestionChart } from './question-chart.tsx';
import { draftOfQuestion, FUNCTIONS, fits, isDate, isGroup, leadsTo, questionOf, UNITS } from './question-draft.ts';

interface QuestionPanelProps {
  readonly entityName: string;
  readonly state: ListState;
  readonly change: ChangeList;
  /** The filter of the list, with the words of its search. */
  readonly filter: ConditionGroup;
  readonly q: string | undefined;
}

const COUNTED = { aggregates: { value: { count: '*' } }, chart: { kind: 'bar' } } as const;

/** Groups and sums of what a list shows, drawn as a chart, and saved as a view. */
export function QuestionPanel({ entityName, state, change, filter, q }: QuestionPanelProps) {
  const text = useText();
  const model = useModel();
  const [draft, setDraft] = useState(() => draftOfQuestion(state.question ?? COUNTED));
  const { group, unit, aggregate, path, kind } = draft;
  const edit = (changes: Partial<typeof draft>): void => {
    const next = { ...draft, ...changes };
    setDraft(next);
    change({ question: questionOf(model, entityName, next) }, { replace: true });
  };
  const grouped = resolvePath(model, entityName, group)?.attribute;
  const question = state.question && { ...state.question, filter, q };
  const aggregated = resolvePath(model, entityName, path)?.caption ?? '';
  return (
    <Stack className={classes['panel']} gap="xs" role="region" aria-label={text('question.title')}>
      <Group gap="xs" align="end">
        <PathSelect
          entityName={entityName}
          path={group}
          label={text('question.group')}
          isOffered={leadsTo(model, isGroup)}
          onChange={(next) => edit({ group: next, unit: 'month', kind: kind === 'number' ? 'bar' : kind })}
        />
        {grouped !== undefined && isDate(grouped) && (
          <ChoiceField
            label={text('question.unit')}
            value={unit}
            data={[
              { value: '', label: text('question.noUnit') },
              ...UNITS.map((value) => ({ value, label: text(`question.unit.${value}`) })),
            ]}
            onChange={(value) => edit({ unit: value as typeof unit })}
          />
        )}
        <ChoiceField
          label={text('question.function')}
          value={aggregate}
          data={FUNCTIONS.map((value) => ({ value, label: text(`question.function.${value}`) }))}
          onChange={(value) => edit({ aggregate: value as typeof aggregate, path: '' })}
        />
        {aggregate !== 'count' && (
          <PathSelect
            entityName={entityName}
            path={path}
            label={text('question.attribute')}
            isOffered={leadsTo(model, (attribute) => fits(aggregate, attribute))}
            onChange={(next) => edit({ path: next })}
          />
        )}
        {group !== '' && (
          <ChoiceField
            label={text('question.kind')}
            value={kind}
            data={(['bar', 'line', 'pie', 'table'] as const).map((value) => ({
              ...{ value, label: text(`question.kind.${value}`) },
            }))}
            onChange={(value) => edit({ kind: value as typeof kind })}
          />
        )}
      </Group>
      {question !== undefined && (
        <>
          <QuestionChart
            entityName={entityName}
            question={question}
            caption={text(`question.of.${aggregate}`, { name: aggregated })}
          />
          {model.isSeen !== true && <SavedAs entityName={entityName} state={state} question={question} />}
        </>
      )}
    </Stack>
  );
}

function SavedAs({ entityName, state, question }: Pick<QuestionPanelProps, 'entityName' | 'state'> & AskedQuestion) {
  const { create } = useViews(entityName);
  return (
    <NewView
      onSave={(name, shared, role) => create({ entityName, name, content: contentOf(state), question, shared, role })}
    />
  );
}

interface AskedQuestion {
  readonly question: NonNullable<ListState['question']>;
}
