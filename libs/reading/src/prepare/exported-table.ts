import {
  type Attribute,
  type Captions,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  type LocaleFormats,
} from '@lintel/metadata';
import type { ExactJson, TableColumn, TableColumns } from '@lintel/query';
import type { ExportForm, ExportFormat, ReadDependencies } from '../read-dependencies.ts';
import type { PreparedRead } from './prepared-read.ts';

/** The table as which rows are sent: lines of CSV, or JSON. */
export interface ExportedTable extends TableColumns {
  /** NDJSON has no columns. */
  readonly format: ExportFormat;
  /** The header of each column. */
  readonly headers: readonly string[];
  /** Between cells of CSV. */
  readonly delimiter: string;
  /** A byte order mark, with which spreadsheets read UTF-8. */
  readonly isMarked: boolean;
}

/** The columns of an export, in the language of the caller where the form has captions or values of a locale. */
export function exportedTable(
  { compiled, model, parsed, access }: Pick<PreparedRead, 'compiled' | 'model' | 'parsed' | 'access'>,
  { format, headers, values, ...shape }: ExportForm,
  { displayIn }: Pick<ReadDependencies, 'displayIn'>,
): ExportedTable {
  const isLocal = values === 'locale';
  const form = { format, delimiter: ',', isMarked: isLocal && format === 'csv' };
  if (format === 'ndjson') return { ...form, columns: [], lists: [], headers: [] };
  const { columns, lists } = compiled.csv(shape);
  const names = columns.map(({ name }) => name);
  if (headers === 'names' && !isLocal) return { ...form, columns, lists, headers: names };
  const display = displayIn(access.locale);
  const entity = entityOf(model, parsed.entityName);
  const stepsOf = (name: string): readonly Step[] => stepsOfPath(model, entity, name, display.captions);
  return {
    ...form,
    lists,
    delimiter: isLocal && display.symbols.decimal === ',' ? ';' : ',',
    headers:
      headers === 'names'
        ? names
        : names.map((name) =>
            stepsOf(name)
              .map(({ caption }) => caption)
              .join(' › '),
          ),
    columns: !isLocal
      ? columns
      : columns.map((column) => ({
          ...column,
          show: shownAs(column, stepsOf(column.name).at(-1)?.attribute, format, display),
        })),
  };
}

interface Step {
  readonly caption: string;
  readonly attribute?: Attribute | undefined;
}

/** A name without an attribute, such as the alias of an aggregate, is its own caption. */
function stepsOfPath(model: PreparedRead['model'], entity: Entity, path: string, captions: Captions): readonly Step[] {
  const dynamic = dynamicAttributesOf(model, entity).find((each) => dynamicMemberOf(each) === path);
  if (dynamic !== undefined) return [{ caption: dynamic.name }];
  let within: Entity | undefined = entity;
  return path.split('.').map((name): Step => {
    const attribute: Attribute | undefined = within?.attributes.get(name);
    within = attribute !== undefined && 'target' in attribute ? entityOf(model, attribute.target) : undefined;
    return { attribute, caption: attribute === undefined ? name : captions.attribute(attribute) };
  });
}

/** Values as a spreadsheet of the locale reads them: exact, without groups of digits. */
function shownAs(
  { kind, temporal }: TableColumn,
  attribute: Attribute | undefined,
  format: ExportFormat,
  display: LocaleFormats & { readonly captions: Captions },
): TableColumn['show'] {
  if (attribute?.kind === 'enum') return (value) => display.captions.constant(attribute.enumName, String(value));
  // Cells of a workbook have types, which spreadsheets show in their own locale.
  if (format === 'xlsx') return undefined;
  if (kind === 'boolean') return (value) => (value === true ? display.trueText : display.falseText);
  if (kind !== 'plain') return undefined;
  if (temporal === 'date' || temporal === 'dateTime') return (value) => dateIn(display.temporals.date, String(value));
  if (temporal !== undefined) return undefined;
  return (value: ExactJson) => String(value).replace('.', display.symbols.decimal);
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(\.\d+)?)?$/;

/** Dates that have no four digits of the year stay as they are. */
function dateIn(pattern: string, iso: string): string {
  const [, year, month, day, time, fraction = ''] = ISO.exec(iso) ?? [];
  if (year === undefined || month === undefined || day === undefined) return iso;
  const date = pattern.replace('yyyy', year).replace('MM', month).replace('dd', day);
  return time === undefined ? date : `${date} ${time}${/[1-9]/.test(fraction) ? fraction : ''}`;
}
