import { Group, Stack, Table, Title, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { captionOf, type Model, useLanguage, useModel, useText } from '../../../context.ts';
import { CheckField, ChoiceField, SwitchField } from '../../../controls/forms.tsx';
import { SearchWords } from '../../../controls/search-words.tsx';
import { isSystemEntity } from '../../data/readable-entities.ts';
import type { ResourcePolicy } from '../api/roles.ts';
import { attributeLevel, isOperationGranted, withAttributeLevel, withPolicy } from './policy-set.ts';
import { SpecificPolicies } from './specific-policies.tsx';

interface RoleMatrixProps {
  readonly policies: readonly ResourcePolicy[];
  /** Absent for a role that cannot be changed here. */
  readonly onChange: ((policies: readonly ResourcePolicy[]) => void) | undefined;
}

const OPERATIONS = ['create', 'read', 'update', 'delete'] as const;
const LEVELS = ['hidden', 'view', 'modify'] as const;

/** The names of all entities by their captions, entities of the system last. */
const listedInOrder = (model: Model, locale: string): readonly string[] =>
  [...model.entities.keys()].sort(
    (one, other) =>
      Number(isSystemEntity({ entityName: one })) - Number(isSystemEntity({ entityName: other })) ||
      captionOf(model, one).localeCompare(captionOf(model, other), locale),
  );

/** Entities by operations, attributes by their level, and specific permissions. */
export function RoleMatrix({ policies, onChange }: RoleMatrixProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const [words, setWords] = useState('');
  const [isGrantedOnly, setGrantedOnly] = useState(onChange === undefined || policies.length > 0);
  const [open, setOpen] = useState<string>();
  const named = new Set(
    policies.filter(({ type }) => type !== 'specific').map(({ resource }) => resource.split('.')[0] ?? ''),
  );
  // Entities of the system last, as on the first page of the data.
  const entities = listedInOrder(model, locale);
  const shown = ['*', ...entities].filter(
    (name) =>
      (!isGrantedOnly || named.has(name)) &&
      `${name} ${captionOf(model, name)}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <Stack>
      <Title order={2}>{text('roles.matrix')}</Title>
      <Group>
        <SearchWords label={text('roles.findEntity')} words={words} onChange={setWords} />
        <SwitchField label={text('roles.grantedOnly')} checked={isGrantedOnly} onChange={setGrantedOnly} />
      </Group>
      <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="region" aria-label={text('roles.matrix')}>
        <Table verticalSpacing={4} aria-label={text('roles.matrix')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text('roles.entity')}</Table.Th>
              {OPERATIONS.map((operation) => (
                <Table.Th key={operation}>{text(`roles.operation.${operation}`)}</Table.Th>
              ))}
              <Table.Th>{text('roles.attributes')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((name) => (
              <EntityRows
                key={name}
                name={name}
                isOpen={open === name}
                onToggle={() => setOpen(open === name ? undefined : name)}
                policies={policies}
                onChange={onChange}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <SpecificPolicies policies={policies} onChange={onChange} />
    </Stack>
  );
}

interface EntityRowsProps extends RoleMatrixProps {
  /** An entity, or `*` for all. */
  readonly name: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The operations of an entity, and the levels of its attributes while it is open. */
function EntityRows({ name, isOpen, onToggle, policies, onChange }: EntityRowsProps) {
  const text = useText();
  const model = useModel();
  const caption = name === '*' ? text('roles.allEntities') : captionOf(model, name);
  const attributes = isOpen ? (model.entities.get(name)?.properties ?? []) : [];
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <UnstyledButton fz="sm" aria-expanded={isOpen} disabled={name === '*'} onClick={onToggle}>
            <Group gap={4} wrap="nowrap">
              {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
              {caption}
            </Group>
          </UnstyledButton>
        </Table.Td>
        {OPERATIONS.map((action) => (
          <Table.Td key={action}>
            {onChange === undefined ? (
              <Granted isGranted={isOperationGranted(policies, name, action)} />
            ) : (
              <CheckField
                aria-label={`${caption}: ${text(`roles.operation.${action}`)}`}
                checked={isOperationGranted(policies, name, action)}
                onChange={(isChecked) =>
                  onChange(withPolicy(policies, { type: 'entity', resource: name, action }, isChecked))
                }
              />
            )}
          </Table.Td>
        ))}
        <Table.Td>
          <Level name={`${name}.*`} label={caption} policies={policies} onChange={onChange} />
        </Table.Td>
      </Table.Tr>
      {attributes.map(({ name: attribute }) => (
        <Table.Tr key={attribute}>
          <Table.Td ps="xl" colSpan={5}>
            {captionOf(model, name, attribute)}
          </Table.Td>
          <Table.Td>
            <Level
              name={`${name}.${attribute}`}
              label={captionOf(model, name, attribute)}
              policies={policies}
              onChange={onChange}
            />
          </Table.Td>
        </Table.Tr>
      ))}
    </>
  );
}

function Level({
  name,
  label,
  policies,
  onChange,
}: RoleMatrixProps & { readonly name: string; readonly label: string }) {
  const text = useText();
  const level = attributeLevel(policies, name);
  if (onChange === undefined) return text(`roles.level.${level}`);
  return (
    <ChoiceField
      size="xs"
      w={120}
      aria-label={text('roles.levelOf', { name: label })}
      value={level}
      data={[...LEVELS, ...(level === 'different' ? [level] : [])].map((value) => ({
        value,
        label: text(`roles.level.${value}`),
      }))}
      onChange={(value) => onChange(withAttributeLevel(policies, name, value))}
    />
  );
}

/** Whether an operation is granted, where it cannot be changed: in words, which a disabled check box has too faint. */
function Granted({ isGranted }: { readonly isGranted: boolean }) {
  const text = useText();
  return isGranted ? <IconCheck size={18} role="img" aria-label={text('roles.yes')} /> : null;
}
