import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useLanguage } from '../../../language/text-provider.tsx';
import { captionOf } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { instancePath } from '../../data/instance-path.ts';
import { formatValue, nameOfInstance } from '../../data/values/format-value.ts';
import { type Row, resultColumns } from './result-columns.ts';

interface RowsTableProps {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Of instances; undefined for objects of values. */
  readonly entityName: string | undefined;
  readonly isOutdated?: boolean;
}

/** Instances or objects as a table; instances lead to their forms. */
export function RowsTable({ label, rows, entityName, isOutdated = false }: RowsTableProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const entity = entityName === undefined ? undefined : model.entities.get(entityName);
  const columns = useMemo(() => resultColumns(rows, entity), [rows, entity]);
  if (rows.length === 0) return <Text>{text('calls.noRows')}</Text>;
  const mayOpen = entityName !== undefined && model.rights.may(entityName, 'read');
  const shown = (row: Row, { name, attribute }: (typeof columns)[number]): string => {
    const value = row[name];
    if (attribute !== undefined) return formatValue(value, attribute, { locale, text, enums: model.enums });
    return value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  };
  return (
    <Table.ScrollContainer minWidth={Math.min((columns.length + 1) * 120, 900)} type="native" tabIndex={0}>
      <Table aria-label={label} aria-busy={isOutdated} highlightOnHover verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            {entity !== undefined && <Table.Th>{text('calls.instance')}</Table.Th>}
            {columns.map(({ name }) => (
              <Table.Th key={name}>{entityName === undefined ? name : captionOf(model, entityName, name)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of values have no other identity
            <Table.Tr key={at}>
              {entity !== undefined && (
                <Table.Td>
                  {mayOpen && row['id'] !== undefined ? (
                    <Anchor component={Link} to={instancePath(entityName ?? '', row['id'])} size="sm">
                      {nameOfInstance(row)}
                    </Anchor>
                  ) : (
                    nameOfInstance(row)
                  )}
                </Table.Td>
              )}
              {columns.map((column) => (
                <Table.Td key={column.name}>{shown(row, column)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
