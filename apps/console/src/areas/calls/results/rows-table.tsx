import { useMemo } from 'react';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import { DataTable } from '../../../table/data-table.tsx';
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
  const opened = entityName !== undefined && model.rights.may(entityName, 'read') ? entityName : undefined;
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
    <DataTable
      label={label}
      isBusy={isOutdated}
      rows={rows}
      empty={text('calls.noRows')}
      columns={[
        ...(entity === undefined
          ? []
          : [{ caption: text('calls.instance'), cell: (row: Row) => <InstanceLink row={row} opened={opened} /> }]),
        ...columns.map((column) => ({
          caption: entityName === undefined ? column.name : captionOf(model, entityName, column.name),
          cell: (row: Row) => shown(row, column),
        })),
      ]}
    />
  );
}

interface InstanceLinkProps {
  readonly row: Row;
  /** The entity, if the user may open its instances. */
  readonly opened: string | undefined;
}

function InstanceLink({ row, opened }: InstanceLinkProps) {
  if (opened === undefined || row['id'] === undefined) return nameOfInstance(row);
  return <TextLink to={instancePath(opened, row['id'])}>{nameOfInstance(row)}</TextLink>;
}
