import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface DataTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly { readonly caption: string; readonly cell: (row: T) => ReactNode }[];
  /** Shown without rows: what to do. */
  readonly empty: string;
}

/** A table that scrolls by itself on a phone. */
export function DataTable<T>({ label, rows, keyOf, columns, empty }: DataTableProps<T>) {
  if (rows.length === 0) return <Text size="sm">{empty}</Text>;
  return (
    <Table.ScrollContainer minWidth={columns.length * 110} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table highlightOnHover verticalSpacing={6} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ caption }) => (
              <Table.Th key={caption}>{caption}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ caption, cell }) => (
                <Table.Td key={caption}>{cell(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
