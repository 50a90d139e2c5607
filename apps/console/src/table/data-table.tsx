import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './plain-table.module.css';
import { PlainTable } from './plain-table.tsx';

/** A column of a table. */
export interface DataColumn<T> {
  readonly caption: ReactNode;
  readonly cell: (row: T) => ReactNode;
  /** Breaks long words, as names and addresses are. */
  readonly wraps?: boolean;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  /** By default the `id` of a row; without one rows have no identity but their position. */
  readonly keyOf?: (row: T) => string;
  readonly columns: readonly DataColumn<T>[];
  /** Shown instead of the table without rows: what to do. */
  readonly empty?: string;
  /** In pixels; by default it follows from the number of columns. */
  readonly minWidth?: number;
  readonly isBusy?: boolean;
}

const MAX_WIDTH = 900;

/** The rows of a list, or what to do if there are none. On a phone each row is a card. */
export function DataTable<T>({ label, rows, keyOf, columns, empty, minWidth, isBusy = false }: DataTableProps<T>) {
  if (rows.length === 0 && empty !== undefined) return <Text size="sm">{empty}</Text>;
  return (
    <PlainTable label={label} minWidth={minWidth ?? Math.min(columns.length * 110, MAX_WIDTH)} isBusy={isBusy} hasCards>
      <thead>
        <tr>
          {columns.map(({ caption }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a file can have the same caption
            <th key={at} scope="col">
              {caption}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf?.(row) ?? (row as { readonly id?: string }).id ?? index}>
            {columns.map(({ caption, cell, wraps = false }, at) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                key={at}
                className={wraps ? classes['wrapped'] : undefined}
                data-label={typeof caption === 'string' ? caption : undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
