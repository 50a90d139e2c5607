import { Text } from '@mantine/core';
import { useLanguage, useModel } from '../../../context.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { formatValue } from '../values/format-value.ts';
import type { ChangeRow } from './change-rows.ts';

interface ChangeTableProps {
  readonly label: string;
  readonly rows: readonly ChangeRow[];
}

/** Attributes with their values before and after a change. */
export function ChangeTable({ label, rows }: ChangeTableProps) {
  const { text, locale } = useLanguage();
  const { enums } = useModel();
  const format = (attribute: ChangeRow['attribute'], value: unknown): string =>
    (attribute === undefined ? '' : formatValue(value, attribute, { locale, text, enums })) || '–';
  const value = (which: 'before' | 'after') => ({
    caption: text(`history.${which}`),
    wraps: true,
    cell: ({ attribute, part, isMasked, ...row }: ChangeRow) =>
      isMasked === true ? (
        which === 'after' && <Text size="sm">{text('history.masked')}</Text>
      ) : part !== undefined ? (
        which === 'after' && <Text size="sm">{text(`history.part.${part}`)}</Text>
      ) : (
        <bdi>{format(attribute, row[which])}</bdi>
      ),
  });
  return (
    <DataTable
      label={label}
      rows={rows}
      keyOf={({ key, part }) => `${key} ${part ?? ''}`}
      minWidth={460}
      columns={[
        { caption: text('history.attribute'), cell: ({ path }) => path.join(' › '), wraps: true },
        value('before'),
        value('after'),
      ]}
    />
  );
}
