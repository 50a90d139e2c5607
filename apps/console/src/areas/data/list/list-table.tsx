import type { AttributeInfo, Highlights } from '@lintel/client';
import { NUMBER_TYPES, type ResolvedPath, valueAt } from '@lintel/react';
import type { ExtensionColumn } from '@lintel/react/console';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect } from 'react';
import { captionOf, type Model, useLanguage, useModel } from '../../../context.ts';
import { Hint, TextLink } from '../../../controls/texts.tsx';
import { localText } from '../../../extension/local-text.ts';
import { ExtensionCell } from '../../../extension/parts/extension-values.tsx';
import { PlainTable } from '../../../table/plain-table.tsx';
import { instancePath } from '../instance-path.ts';
import { formatValue, nameOfInstance } from '../values/format-value.ts';
import { isSortable } from './columns.ts';
import classes from './list.module.css';
import { keepRows } from './list-memory.ts';
import { nextSort, risingBy } from './list-state.ts';
import { keyOfRow, type Row } from './row.ts';
import type { Selection } from './use-selection.ts';

interface ListTableProps {
  readonly entityName: string;
  readonly columns: readonly ResolvedPath[];
  /** Of the extension, after the others. */
  readonly added: readonly ExtensionColumn[];
  readonly rows: readonly Row[];
  readonly isBusy: boolean;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly selection: Selection;
  /** Paths of the values that somebody else has just changed, by the keys of the rows. */
  readonly changed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys of the rows that somebody else has just deleted, or that the user can no longer see. */
  readonly removed: ReadonlySet<string>;
}

/** The rows of a page. Arrow keys lead from row to row, Enter opens one, the space bar selects it. */
export function ListTable(props: ListTableProps) {
  const { entityName, columns, added, rows, isBusy, selection } = props;
  const { text, locale } = useLanguage();
  const model = useModel();
  // A session that only reads can do nothing with the rows.
  const canSelect = model.isSeen !== true;
  const keys = canSelect ? rows.map(keyOfRow).filter((key) => key !== undefined) : [];
  useEffect(
    () => keepRows(rows.flatMap((row) => (keyOfRow(row) === undefined ? [] : [instancePath(entityName, row['id'])]))),
    [entityName, rows],
  );
  const move = (event: KeyboardEvent<HTMLTableElement>): void =>
    moveInRows(event, (row) => {
      const found = rows[row];
      if (canSelect && found !== undefined) selection.toggle(found, rows);
    });
  return (
    <PlainTable
      label={captionOf(model, entityName)}
      minWidth={Math.min((columns.length + added.length) * 130, 900)}
      isBusy={isBusy}
      hasCards
      onKeyDown={move}
    >
      <thead>
        <tr>
          {keys.length > 0 && (
            <th scope="col" className={classes['select']}>
              <input
                type="checkbox"
                aria-label={text('select.page')}
                checked={keys.every(selection.has)}
                onChange={() => selection.togglePage(rows)}
              />
            </th>
          )}
          {columns.map((column) => (
            <ColumnHeader key={column.path} column={column} {...props} />
          ))}
          {added.map(({ name, title }) => (
            <th key={`+${name}`} scope="col">
              {localText(title, locale)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <TableRow key={keyOfRow(row) ?? index} row={row} {...props} />
        ))}
      </tbody>
    </PlainTable>
  );
}

/** In the style sheet. */
const STATE_COLORS = 6;

/** Numbers are aligned at their ends. */
const isNumber = ({ type }: ResolvedPath['attribute']): true | undefined => NUMBER_TYPES.has(type) || undefined;

function ColumnHeader({ column, sort, onSort }: ListTableProps & { readonly column: ResolvedPath }) {
  const { path, caption, attribute } = column;
  const number = isNumber(attribute);
  if (!isSortable(column))
    return (
      <th scope="col" data-number={number}>
        {caption}
      </th>
    );
  const direction = sort === risingBy(path) ? 'ascending' : sort === `-${path}` ? 'descending' : undefined;
  return (
    <th scope="col" aria-sort={direction} data-number={number}>
      <UnstyledButton onClick={() => onSort(nextSort(sort, path))} fz="sm" fw={600}>
        {caption}
        {direction === 'ascending' && <IconArrowUp size={13} aria-hidden />}
        {direction === 'descending' && <IconArrowDown size={13} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

function TableRow({
  row,
  entityName,
  columns,
  added,
  selection,
  changed,
  removed,
  rows,
}: ListTableProps & { readonly row: Row }) {
  const { text, locale } = useLanguage();
  const { enums, isSeen } = useModel();
  const key = keyOfRow(row);
  const name = nameOfInstance(row);
  const isRemoved = key !== undefined && removed.has(key);
  return (
    <tr className={isRemoved ? classes['removed'] : undefined}>
      {key !== undefined && isSeen !== true && (
        <td className={classes['select']}>
          <input
            type="checkbox"
            aria-label={text('select.row', { name })}
            checked={selection.has(key)}
            onChange={() => selection.toggle(row, rows)}
          />
        </td>
      )}
      {columns.map(({ path, attribute, caption }, index) => {
        const value = formatValue(valueAt(row, path), attribute, { locale, text, enums });
        const isChanged = key !== undefined && changed.get(key)?.has(path) === true;
        return (
          <td
            key={path}
            className={isChanged ? classes['changed'] : undefined}
            data-number={isNumber(attribute)}
            data-label={caption}
          >
            {index === 0 && key !== undefined ? (
              <TextLink to={instancePath(entityName, row['id'])} data-row>
                <bdi>{value === '' ? name : <Marked value={value} path={path} row={row} />}</bdi>
              </TextLink>
            ) : (
              // A text of another direction keeps its own.
              <bdi className={classes['value']} data-state={stateOf(valueAt(row, path), attribute, enums)}>
                <Marked value={value} path={path} row={row} />
              </bdi>
            )}
            {index === 0 && <Fragments row={row} columns={columns} />}
            {index === 0 && isRemoved && <VisuallyHidden>{text('live.removedRow')}</VisuallyHidden>}
            {isChanged && <VisuallyHidden>{text('live.changedValue')}</VisuallyHidden>}
          </td>
        );
      })}
      {added.map((column) => (
        <td key={`+${column.name}`} data-label={localText(column.title, locale)}>
          <ExtensionCell column={column} row={row} />
        </td>
      ))}
    </tr>
  );
}

/** The part of an attribute that a search has found, if the attribute is no column. */
function Fragments({ row, columns }: { readonly row: Row & Highlights; readonly columns: readonly ResolvedPath[] }) {
  const found = row._highlights?.find(({ attribute }) => !columns.some(({ path }) => path === attribute));
  if (found === undefined) return null;
  return (
    <Hint>
      <bdi>{marked(found.fragments[0] ?? [])}</bdi>
    </Hint>
  );
}

/** Every second part is a word that was found; the parts have no identity but their order. */
const marked = (parts: readonly string[]) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
  parts.map((part, at) => (at % 2 === 0 ? part : <mark key={`${at}`}>{part}</mark>));

/** A value with the words marked that a search has found, if it is shown as it is stored. */
function Marked({
  value,
  path,
  row,
}: {
  readonly value: string;
  readonly path: string;
  readonly row: Row & Highlights;
}) {
  const parts = row._highlights?.find(({ attribute }) => attribute === path)?.fragments[0] ?? [];
  return parts.join('') === value ? marked(parts) : value;
}

/** The colour of a value of an enumeration, by its position; the caption says the same without it. */
function stateOf(value: unknown, { attributeType, type }: AttributeInfo, enums: Model['enums']): number | undefined {
  const at = attributeType === 'ENUM' ? (enums.get(type)?.values ?? []).findIndex(({ name }) => name === value) : -1;
  return at < 0 ? undefined : at % STATE_COLORS;
}

/** Leads from the link of a row to that of another one by arrow keys; the space bar calls the function with the row. */
function moveInRows(event: KeyboardEvent<HTMLTableElement>, onSpace: (row: number) => void): void {
  const { key, currentTarget } = event;
  const target = event.target as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>('a[data-row]')];
  const at = links.indexOf(target);
  if (at < 0) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[key];
  if (next === undefined && key !== ' ') return;
  event.preventDefault();
  if (next === undefined) onSpace(at);
  else links[next]?.focus();
}
