import { Group, Text } from '@mantine/core';
import { memo } from 'react';
import { captionOf, useLanguage, useModel } from '../../../../context.ts';
import { formatValue } from '../../values/format-value.ts';
import classes from '../form.module.css';
import { LineButtons } from './line-buttons.tsx';
import type { LineProps } from './line-props.ts';

/** A line on a narrow page: its values, and a button for its form. */
export const LineCard = memo(function LineCard(props: LineProps) {
  const { entity, line, columns } = props;
  const { text, locale } = useLanguage();
  const model = useModel();
  return (
    <li className={classes['card']}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text size="sm" td={line._removed === true ? 'line-through' : undefined} style={{ overflowWrap: 'anywhere' }}>
          {columns
            .map(({ attribute }) => {
              const shown = formatValue(line[attribute.name], attribute, { locale, text, enums: model.enums });
              return shown === '' ? '' : `${captionOf(model, entity, attribute.name)}: ${shown}`;
            })
            .filter((shown) => shown !== '')
            .join(' · ') || '–'}
        </Text>
        <Group gap={4} wrap="nowrap">
          <LineButtons {...props} />
        </Group>
      </Group>
    </li>
  );
});
