import { resolvePath, useAggregate } from '@lintel/react';
import { Chart, namesOfQuestion, type Question } from '@lintel/react/charts';
import { Text } from '@mantine/core';
import { useLanguage, useModel } from '../../../../context.ts';
import { Pending } from '../../../../errors/pending.tsx';
import { formatValue } from '../../values/format-value.ts';
import { formatUnit } from './format-unit.ts';
import { functionOf } from './question-draft.ts';
import classes from './questions.module.css';

interface QuestionChartProps {
  readonly entityName: string;
  readonly question: Question;
  readonly caption: string;
}

/** Groups of an entity, read and drawn, with captions and values in the language of the page. */
export function QuestionChart({ entityName, question, caption }: QuestionChartProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { data, error, refetch, isPlaceholderData } = useAggregate(entityName, question);
  // Rows of the question before have other names.
  if (error !== null || data === undefined || isPlaceholderData) return <Pending error={error} onRetry={refetch} />;
  const { groups } = namesOfQuestion(question);
  const formats = { locale, text, enums: model.enums };
  const sourceOf = (name: string) => {
    const group = question.groupBy?.[groups.indexOf(name)];
    const [aggregate, aggregated] = functionOf(question.aggregates?.[name]);
    const path = typeof group === 'object' ? group.attribute : (group ?? aggregated);
    const { by: unit, captionAs } = typeof group === 'object' ? group : {};
    return {
      isGroup: group !== undefined,
      isCaption: captionAs !== undefined,
      unit,
      aggregate,
      found: resolvePath(model, entityName, path),
    };
  };
  const format = (name: string, value: unknown): string => {
    const { isGroup, isCaption, unit, aggregate, found } = sourceOf(name);
    if (value === null || value === undefined) return isGroup ? text('question.none') : '';
    const isPlain = isGroup || ['min', 'max', 'sum'].includes(aggregate);
    if (found === undefined || !isPlain || isCaption)
      return typeof value === 'number' ? value.toLocaleString(locale) : String(value);
    const shown = unit === undefined ? undefined : formatUnit(String(value), unit, locale);
    return shown ?? formatValue(value, found.attribute, formats);
  };
  return (
    <>
      <Chart
        className={classes['chart']}
        caption={caption}
        question={question}
        rows={data}
        labelOf={(name) => {
          const { isGroup, aggregate, found } = sourceOf(name);
          return isGroup ? (found?.caption ?? name) : text(`question.of.${aggregate}`, { name: found?.caption ?? '' });
        }}
        format={format}
      />
      {data.length === question.limit && (
        <Text size="sm" c="dimmed">
          {text('question.limited', { count: data.length })}
        </Text>
      )}
    </>
  );
}
