import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PlainTable } from './plain-table.tsx';

interface DataTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly { readonly caption: string; readonly cell: (row: T) => ReactNode }[];
  /** Shown without rows: what to do. */
  readonly empty: string;
  /** In pixels; by default it follows from the number of columns. */
  readonly minWidth?: number;
}

/** The rows of a list, or what to do if there are none. The table scrolls by itself on a phone. */
export function DataTable<T>({ label, rows, keyOf, columns, empty, minWidth }: DataTableProps<T>) {
  if (rows.length === 0) return <Text size="sm">{empty}</Text>;
  return (
    <PlainTable label={label} minWidth={minWidth ?? columns.length * 110}>
      <thead>
        <tr>
          {columns.map(({ caption }) => (
            <th key={caption} scope="col">
              {caption}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ caption, cell }) => (
              <td key={caption}>{cell(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
