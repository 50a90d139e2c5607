import '@mantine/core/styles/Table.css';
import type { EntityInfo } from '@lintel/client';
import { compareThreeWays, type Values } from '@lintel/react';
import { Alert, Button, Group, NativeSelect, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useLanguage } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { formatValue } from '../values/format-value.ts';

interface ConflictTableProps {
  readonly entity: EntityInfo;
  readonly base: Values;
  /** What the user has entered. */
  readonly mine: Values;
  readonly theirs: Values;
  /** Called with what the user keeps of the own input. */
  readonly onContinue: (kept: Values) => void;
}

/** What was stored before, what the user has entered and what somebody else has stored, attribute by attribute. */
export function ConflictTable({ entity, base, mine, theirs, onContinue }: ConflictTableProps) {
  const { entityName, properties } = entity;
  const { text, locale } = useLanguage();
  const model = useModel();
  const byName = new Map(properties.map((attribute) => [attribute.name, attribute]));
  const compared = compareThreeWays(base, mine, theirs, [...byName.keys()]).filter(
    ({ name }) => !['version', 'lastModifiedDate', 'lastModifiedBy'].includes(name),
  );
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const format = (name: string, value: unknown): string => {
    const attribute = byName.get(name);
    return attribute === undefined ? '' : formatValue(value, attribute, { locale, text, enums: model.enums });
  };
  return (
    <Alert color="yellow" title={text('conflict.title')} role="alert">
      <Text size="sm">{text('conflict.text')}</Text>
      <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
        <Table aria-label={text('conflict.title')}>
          <Table.Thead>
            <Table.Tr>
              {['attribute', 'before', 'mine', 'theirs', 'keep'].map((column) => (
                <Table.Th key={column}>{text(`conflict.${column}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {compared.map(({ name, before, mine: own, theirs: other, isConflict }) => {
              const caption = captionOf(model, entityName, name);
              return (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{caption}</Table.Th>
                  <Table.Td>{format(name, before)}</Table.Td>
                  <Table.Td>{format(name, own)}</Table.Td>
                  <Table.Td>{format(name, other)}</Table.Td>
                  <Table.Td>
                    {isConflict && (
                      <NativeSelect
                        size="xs"
                        aria-label={text('conflict.keepOf', { name: caption })}
                        value={taken.has(name) ? 'theirs' : 'mine'}
                        data={[
                          { value: 'mine', label: text('conflict.mine') },
                          { value: 'theirs', label: text('conflict.theirs') },
                        ]}
                        onChange={({ currentTarget: { value } }) => {
                          const next = new Set(taken);
                          if (value === 'theirs') next.add(name);
                          else next.delete(name);
                          setTaken(next);
                        }}
                      />
                    )}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="end" mt="xs">
        <Button
          size="xs"
          onClick={() => onContinue(Object.fromEntries(Object.entries(mine).filter(([name]) => !taken.has(name))))}
        >
          {text('conflict.continue')}
        </Button>
      </Group>
    </Alert>
  );
}
