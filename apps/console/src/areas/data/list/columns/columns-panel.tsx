import { isToMany, type ResolvedPath } from '@lintel/react';
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useModel, useText } from '../../../../context.ts';
import { ChoiceField } from '../../../../controls/forms.tsx';
import { PathSelect } from '../../paths/path-select.tsx';
import { resolveColumn } from '../../paths/resolve-dynamic.ts';
import { columnsOfPlan } from '../columns.ts';
import classes from '../list.module.css';

interface ColumnsPanelProps {
  readonly entityName: string;
  readonly columns: readonly ResolvedPath[];
  /** Undefined: those that the list has at first. */
  readonly onChange: (paths: readonly string[] | undefined) => void;
}

/** Chooses the columns of a list and their order: attributes of the entity, and of its references at any depth. */
export function ColumnsPanel({ entityName, columns, onChange }: ColumnsPanelProps) {
  const text = useText();
  const model = useModel();
  const [added, setAdded] = useState('');
  const paths = columns.map(({ path }) => path);
  const move = (at: number, to: number): void => onChange(paths.with(at, paths[to] ?? '').with(to, paths[at] ?? ''));
  const plans = useQuery({
    queryKey: ['fetch-plans', entityName],
    queryFn: ({ signal }) => model.client.metadata.fetchPlans(entityName, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const named = (plans.data ?? []).filter(({ name = '_' }) => !name.startsWith('_'));
  const takePlan = (name: string): void => {
    const plan = named.find((each) => each.name === name);
    const shown = plan === undefined ? [] : columnsOfPlan(plan, entityName, model);
    if (shown.length > 0) onChange(shown.map(({ path }) => path));
  };
  const canAdd = resolveColumn(model, entityName, added) !== undefined && !paths.includes(added);
  return (
    <Stack className={classes['panel']} gap="xs" role="region" aria-label={text('columns.title')}>
      <ol className={classes['columns']}>
        {columns.map(({ path, caption: name }, index) => (
          <li key={path}>
            <Group gap={4} wrap="nowrap">
              <Text size="sm" flex={1} maw={360}>
                {name}
              </Text>
              <ActionIcon
                aria-label={text('columns.up', { name })}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              >
                <IconArrowUp size={14} />
              </ActionIcon>
              <ActionIcon
                aria-label={text('columns.down', { name })}
                disabled={index === columns.length - 1}
                onClick={() => move(index, index + 1)}
              >
                <IconArrowDown size={14} />
              </ActionIcon>
              <ActionIcon
                aria-label={text('columns.remove', { name })}
                disabled={columns.length === 1}
                onClick={() => onChange(paths.filter((each) => each !== path))}
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ol>
      <Group gap="xs" align="end">
        <PathSelect
          entityName={entityName}
          path={added}
          label={text('columns.attribute')}
          hasDynamic
          isOffered={(attribute) =>
            !isToMany(attribute) && attribute.type !== 'byteArray' && attribute.writeOnly !== true
          }
          onChange={setAdded}
        />
        <Button
          disabled={!canAdd}
          onClick={() => {
            setAdded('');
            onChange([...paths, added]);
          }}
        >
          {text('columns.add')}
        </Button>
        <Button onClick={() => onChange(undefined)}>{text('columns.reset')}</Button>
        {named.length > 0 && (
          <ChoiceField
            label={text('columns.plan')}
            value=""
            data={[{ value: '', label: text('path.choose') }, ...named.map(({ name = '' }) => name)]}
            onChange={takePlan}
          />
        )}
      </Group>
    </Stack>
  );
}
