import type { AnyCondition } from '@lintel/client';
import { resolvePath } from '@lintel/react';
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useLanguage, useModel, useText } from '../../../../context.ts';
import { ChoiceField } from '../../../../controls/forms.tsx';
import classes from '../list.module.css';
import { describeNode } from './describe-node.ts';
import { FilterCondition } from './filter-condition.tsx';
import {
  addGroup,
  collectionsOf,
  type DraftGroup,
  emptyCondition,
  emptyGroup,
  emptyMembers,
  isGroup,
  isKept,
  type Joined,
  memberEntity,
  QUANTIFIERS,
  type Quantifier,
  replaceMember,
} from './filter-draft.ts';

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
  const model = useModel();
  const { joined, members, of } = group;
  const memberName = of === undefined ? entityName : memberEntity(model, entityName, of.path);
  const collections = collectionsOf(model, memberName ?? entityName);
  const [collection] = collections;
  const added = [
    ['filter.addCondition', () => ({ ...group, members: [...members, emptyCondition()] })],
    ['filter.addGroup', () => addGroup(group, emptyGroup(joined === 'OR' ? 'AND' : 'OR'))],
    ...(collection === undefined
      ? []
      : [['filter.addMembers', () => addGroup(group, emptyMembers(collection.path))] as const]),
  ] as const;
  return (
    <Stack gap="xs" role="group" aria-label={text('filter.group')} className={isInner ? classes['group'] : undefined}>
      <Group gap="xs" align="end">
        {of === undefined ? (
          <ChoiceField
            label={text('filter.joined')}
            value={joined}
            data={(['AND', 'OR', 'NOT'] as const).map((value) => ({ value, label: text(`filter.joined.${value}`) }))}
            onChange={(value) => onChange({ ...group, joined: value as Joined })}
          />
        ) : (
          <MembersSelect
            entityName={entityName}
            of={of}
            error={isChecked && memberName === undefined ? text('filter.noCollection') : undefined}
            onChange={(next) =>
              onChange({ ...group, of: next, members: next.path === of.path ? members : [emptyCondition()] })
            }
          />
        )}
        {isInner && (
          <Button
            leftSection={<IconTrash size={14} />}
            aria-label={text('filter.removeGroup')}
            onClick={() => onChange(undefined)}
          >
            {text('filter.removeGroup')}
          </Button>
        )}
      </Group>
      {memberName !== undefined &&
        members.map((member) =>
          isKept(member) ? (
            <KeptCondition
              key={member.key}
              entityName={memberName}
              node={member.node}
              onRemove={() => onChange(replaceMember(group, member.key, undefined))}
            />
          ) : isGroup(member) ? (
            <FilterGroup
              key={member.key}
              entityName={memberName}
              group={member}
              isChecked={isChecked}
              isInner
              onChange={(next) => onChange(replaceMember(group, member.key, next))}
            />
          ) : (
            <FilterCondition
              key={member.key}
              entityName={memberName}
              condition={member}
              isChecked={isChecked}
              onChange={(next) => onChange(replaceMember(group, member.key, next))}
            />
          ),
        )}
      {memberName !== undefined && (
        <Group gap="xs">
          {added.map(([caption, add]) => (
            <Button
              key={caption}
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange(add())}
            >
              {text(caption)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

interface MembersSelectProps {
  readonly entityName: string;
  readonly of: NonNullable<DraftGroup['of']>;
  readonly error: string | undefined;
  readonly onChange: (of: NonNullable<DraftGroup['of']>) => void;
}

/** Chooses a collection, and how many of its members match. */
function MembersSelect({ entityName, of, error, onChange }: MembersSelectProps) {
  const text = useText();
  const model = useModel();
  const offered = collectionsOf(model, entityName).map(({ path, caption }) => ({ value: path, label: caption }));
  const other = offered.some(({ value }) => value === of.path) ? undefined : resolvePath(model, entityName, of.path);
  return (
    <>
      <ChoiceField
        label={text('filter.collection')}
        value={of.path}
        error={error}
        data={[
          { value: '', label: text('path.choose') },
          ...offered,
          ...(other === undefined ? [] : [{ value: of.path, label: other.caption }]),
        ]}
        onChange={(path) => onChange({ ...of, path })}
      />
      <ChoiceField
        label={text('filter.joined')}
        value={of.quantifier}
        data={QUANTIFIERS.map((value) => ({ value, label: text(`filter.members.${value}`) }))}
        onChange={(value) => onChange({ ...of, quantifier: value as Quantifier })}
      />
    </>
  );
}

interface KeptConditionProps {
  readonly entityName: string;
  readonly node: AnyCondition;
  readonly onRemove: () => void;
}

/** A condition in words, which stays as it is. */
function KeptCondition({ entityName, node, onRemove }: KeptConditionProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  return (
    <Group gap="xs" role="group" aria-label={text('filter.condition')}>
      <Text size="sm">{describeNode(node, entityName, { model, text, locale })}</Text>
      <ActionIcon size={36} aria-label={text('filter.removeCondition')} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
