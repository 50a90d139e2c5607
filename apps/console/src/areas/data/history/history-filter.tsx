import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import '@mantine/core/styles/SimpleGrid.css';
import { searchableAttributes } from './history-actions.ts';

/** Which changes are shown; times are local, as inputs have them. */
export interface HistoryCriteria {
  readonly user?: string;
  readonly attribute?: string;
  readonly from?: string;
  readonly to?: string;
}

interface HistoryFilterProps {
  readonly entity: string;
  readonly criteria: HistoryCriteria;
  readonly onChange: (criteria: HistoryCriteria) => void;
}

/** Inputs for the user, the attribute and the time of changes. */
export function HistoryFilter({ entity, criteria, onChange }: HistoryFilterProps) {
  const text = useText();
  const model = useModel();
  const change = (part: HistoryCriteria): void => onChange({ ...criteria, ...part });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <TextInput
        label={text('history.user')}
        value={criteria.user ?? ''}
        maxLength={255}
        onChange={({ currentTarget }) => change({ user: currentTarget.value })}
      />
      <NativeSelect
        label={text('history.attribute')}
        value={criteria.attribute ?? ''}
        data={[
          { value: '', label: text('history.allAttributes') },
          ...searchableAttributes(model, entity).map((name) => ({
            value: name,
            label: captionOf(model, entity, name),
          })),
        ]}
        onChange={({ currentTarget }) => change({ attribute: currentTarget.value })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="datetime-local"
          label={text(`history.${name}`)}
          value={criteria[name] ?? ''}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  );
}
