import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useText } from '../../../../language/text-provider.tsx';
import classes from '../list.module.css';
import { FilterCondition } from './filter-condition.tsx';
import { type DraftGroup, emptyCondition, emptyGroup, isGroup, type Joined, replaceMember } from './filter-draft.ts';

interface FilterGroupProps {
  readonly entityName: string;
  readonly group: DraftGroup;
  /** Conditions that are not complete say so. */
  readonly isChecked: boolean;
  /** Without a group, it is removed. */
  readonly onChange: (group: DraftGroup | undefined) => void;
  readonly isInner?: boolean;
}

/** A group of conditions and of further groups. */
export function FilterGroup({ entityName, group, isChecked, onChange, isInner = false }: FilterGroupProps) {
  const text = useText();
  const { joined, members } = group;
  return (
    <Stack gap="xs" role="group" aria-label={text('filter.group')} className={isInner ? classes['group'] : undefined}>
      <Group gap="xs" align="end">
        <NativeSelect
          label={text('filter.joined')}
          value={joined}
          data={(['AND', 'OR', 'NOT'] as const).map((value) => ({ value, label: text(`filter.joined.${value}`) }))}
          onChange={({ currentTarget: { value } }) => onChange({ ...group, joined: value as Joined })}
        />
        {isInner && (
          <Button
            variant="default"
            leftSection={<IconTrash size={14} />}
            aria-label={text('filter.removeGroup')}
            onClick={() => onChange(undefined)}
          >
            {text('filter.removeGroup')}
          </Button>
        )}
      </Group>
      {members.map((member) =>
        isGroup(member) ? (
          <FilterGroup
            key={member.key}
            entityName={entityName}
            group={member}
            isChecked={isChecked}
            isInner
            onChange={(next) => onChange(replaceMember(group, member.key, next))}
          />
        ) : (
          <FilterCondition
            key={member.key}
            entityName={entityName}
            condition={member}
            isChecked={isChecked}
            onChange={(next) => onChange(replaceMember(group, member.key, next))}
          />
        ),
      )}
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ ...group, members: [...members, emptyCondition()] })}
        >
          {text('filter.addCondition')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ ...group, members: [...members, emptyGroup(joined === 'OR' ? 'AND' : 'OR')] })}
        >
          {text('filter.addGroup')}
        </Button>
      </Group>
    </Stack>
  );
}
