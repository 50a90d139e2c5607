import type { ReportParameter, ReportParameterValue, ReportRow } from '@lintel/application';
import type { DatasetColumn } from '@lintel/contracts';
import { type Attribute, type Datatype, type Entity, type Model, numberKindOf, temporalKindOf } from '@lintel/metadata';
import { type Cell, EMPTY, type Fields } from './cell.ts';

/**
 * Converts an instance in its JSON form to fields: attributes by name, those of references and embeddables also by
 * dotted path (`customer` is the instance, `customer.name` its attribute). The types come from the model.
 */
export function cellsOfInstance(model: Model, entityName: string, instance: ReportRow): Fields {
  const fields = new Map<string, Cell>();
  addInstance(model, model.entities.get(entityName), instance, '', fields);
  return fields;
}

/** Converts a row of values to fields; the data service reports their types. */
export const cellsOfColumns = (row: ReportRow, columns: readonly DatasetColumn[]): Fields =>
  new Map(
    columns.flatMap(({ name, type, enumName, label }) => {
      const value = row[name];
      const cell: Cell =
        value === null || value === undefined
          ? EMPTY
          : enumName === undefined
            ? cellOfDatatype(type as Datatype, value)
            : { kind: 'enum', enumName, constant: String(value) };
      return [...(label === undefined ? [] : [[label, cell] as const]), [name, cell] as const];
    }),
  );

/** Converts a row computed by application code to fields, by the types of its values. */
export const cellsOfComputedRow = (row: ReportRow): Fields =>
  new Map(Object.entries(row).map(([name, value]) => [name, cellOfValue(value)]));

const TEMPORALS = { DATE: 'date', TIME: 'time', DATETIME: 'dateTime' } as const;

/** Converts the value of a parameter to a field. */
export function cellOfParameter(parameter: ReportParameter, value: ReportParameterValue): Cell {
  if (value === null) return EMPTY;
  switch (parameter.type) {
    case 'NUMERIC':
      return { kind: 'number', number: 'floating', text: String(value) };
    case 'DATE':
    case 'TIME':
    case 'DATETIME':
      return { kind: 'temporal', temporal: TEMPORALS[parameter.type], text: String(value) };
    case 'ENUMERATION':
      return { kind: 'enum', enumName: parameter.enumeration ?? '', constant: String(value) };
    default:
      return cellOfValue(value);
  }
}

function addInstance(
  model: Model,
  declared: Entity | undefined,
  instance: ReportRow,
  prefix: string,
  fields: Map<string, Cell>,
): void {
  const actual = instance['_entityName'];
  const entity = (typeof actual === 'string' ? model.entities.get(actual) : undefined) ?? declared;
  for (const [name, value] of Object.entries(instance)) {
    const attribute = entity?.attributes.get(name);
    fields.set(`${prefix}${name}`, attribute === undefined ? cellOfValue(value) : cellOfAttribute(attribute, value));
    if (isObject(value) && (attribute?.kind === 'embedded' || attribute?.kind === 'reference'))
      addInstance(model, model.entities.get(attribute.target), value, `${prefix}${name}.`, fields);
  }
}

function cellOfAttribute(attribute: Attribute, value: unknown): Cell {
  if (value === null || value === undefined) return EMPTY;
  switch (attribute.kind) {
    case 'datatype':
      return cellOfDatatype(attribute.datatype, value);
    case 'enum':
      return { kind: 'enum', enumName: attribute.enumName, constant: String(value) };
    case 'elements':
      return Array.isArray(value)
        ? { kind: 'list', cells: value.map((item) => cellOfDatatype(attribute.datatype, item)) }
        : cellOfValue(value);
    case 'embedded':
    case 'reference':
      return cellOfValue(value);
    default:
      return attribute satisfies never;
  }
}

function cellOfDatatype(datatype: Datatype, value: unknown): Cell {
  const number = numberKindOf(datatype);
  if (number !== undefined) return { kind: 'number', number, text: String(value) };
  const temporal = temporalKindOf(datatype);
  if (temporal !== undefined) return { kind: 'temporal', temporal, text: String(value) };
  return cellOfValue(value);
}

/** Converts a computed value, or one from JSON, which has no declared type. */
export function cellOfValue(value: unknown): Cell {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: value };
    case 'boolean':
      return { kind: 'boolean', value };
    case 'bigint':
      return { kind: 'number', number: 'integer', text: String(value) };
    case 'number':
      return Number.isFinite(value)
        ? { kind: 'number', number: Number.isInteger(value) ? 'integer' : 'floating', text: String(value) }
        : EMPTY;
    case 'object':
      return cellOfObject(value);
    default:
      return EMPTY;
  }
}

function cellOfObject(value: object | null): Cell {
  if (value === null) return EMPTY;
  if (Array.isArray(value)) return { kind: 'list', cells: value.map(cellOfValue) };
  if (value instanceof Uint8Array) return { kind: 'text', text: Buffer.from(value).toString('base64') };
  if (value instanceof Date) return { kind: 'temporal', temporal: 'dateTime', text: value.toISOString().slice(0, -1) };
  if (isExactNumber(value))
    return { kind: 'number', number: value.text.includes('.') ? 'decimal' : 'integer', text: value.text };
  const members = value as Readonly<Record<string, unknown>>;
  return { kind: 'instance', name: instanceNameOf(members), value: members };
}

/** Checks the structure, since an application may have its own copy of the library. */
const isExactNumber = (value: object): value is { readonly text: string } =>
  'text' in value && typeof value.text === 'string' && 'toJSON' in value;

/** An instance without a name is named `<entityName>-<id>` (contract/decisions.md#28). */
const instanceNameOf = (instance: Readonly<Record<string, unknown>>): string =>
  typeof instance['_instanceName'] === 'string'
    ? instance['_instanceName']
    : [instance['_entityName'], instance['id']].filter((part) => part !== undefined && part !== null).join('-');

const isObject = (value: unknown): value is ReportRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
