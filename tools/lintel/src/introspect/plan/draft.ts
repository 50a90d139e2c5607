import { snakeCase, tableOf } from '@lintel/metadata';
import type { FoundColumn, FoundTable } from '@lintel/schema';
import { columnTypeOf, defaultOf, isGenerated } from './column-type.ts';
import { type FoundTraits, findTraits, NO_TRAITS } from './find-traits.ts';
import { type AttributePlan, type Finding, literal, tableName } from './model-plan.ts';
import { camelCase, freeName } from './names.ts';
import { checkedValues, type EnumPlans } from './plan-enums.ts';
import { keyOf } from './select-tables.ts';

/** An entity that is being made of a table. */
export interface Draft {
  readonly table: FoundTable;
  readonly name: string;
  readonly constant: string;
  /** The table is not of the name and keys that migrations would give it. */
  readonly isExternal: boolean;
  /** Migrations create and change the table, under any name. */
  readonly isOwned: boolean;
  traits: FoundTraits;
  /** Name of the key attribute; empty for a list of rows without a key. */
  readonly keyName: string;
  /** Names of attributes that are taken. */
  readonly taken: Set<string>;
  /** What a column is called in the model: `number`, `id.currency`, for a reference its attribute. */
  readonly paths: Map<string, string>;
  /** The columns of each reference that shares some of them with the key or another attribute. */
  readonly sharing: Map<string, readonly string[]>;
  /** Attributes of columns and references, in the order of their first column; inverse references last. */
  readonly attributes: { readonly at: number; readonly plan: AttributePlan }[];
  readonly enums: Set<string>;
  readonly findings: Finding[];
  /** The entity it extends. */
  ancestor?: string;
  /** It is a root whose rows name their entity. */
  hasDescendants?: true;
}

/** What keeps a table one of another owner: migrations would drop or not find what the model does not have. */
function notOwnable(table: FoundTable): readonly Finding[] {
  const of = (object: Finding['object'], reason: string, name?: string): Finding => ({
    table: tableName(table),
    object,
    ...(name === undefined ? {} : { name }),
    reason: `${reason}; the table stays one of another owner until then`,
  });
  return [
    ...(/[".]/.test(`${table.schema}${table.name}`)
      ? [of('table', 'has a name with quotes or dots, which migrations cannot have: rename it')]
      : []),
    ...table.columns.flatMap(({ name, type, ...column }) => {
      if (name.includes('"'))
        return [of('column', 'has a name with quotes, which migrations cannot have: rename it', name)];
      if (column.typeKind === 'e' || columnTypeOf({ name, type, ...column }) !== undefined) return [];
      return [of('column', `is of type ${type}, which the model does not have: make it jsonb or text`, name)];
    }),
  ];
}

/** @param owned whether migrations are to own the table, if they can create it */
export function newDraft(table: FoundTable, name: string, constant: string, owned: boolean): Draft {
  const key = keyOf(table);
  const [only] = table.columns.filter((column) => key.length === 1 && column.name === key[0]);
  const named = tableOf({ name });
  // The platform sets nothing in a view and in a list of rows.
  const isPlain = key.length === 0 || table.view !== null;
  const traits = isPlain ? NO_TRAITS : findTraits(table, only?.type === 'uuid' && only.name === 'id');
  const taken = new Set<string>(traits.columns.values());
  const others = table.columns.map((column) => column.name).filter((column) => !key.includes(column));
  const keyNames = key.length === 1 ? [camelCase(key[0] ?? '')] : ['id', 'key', 'primaryKey'];
  const free = keyNames.filter((each) => key.length === 1 || !others.some((column) => camelCase(column) === each));
  const keyName = key.length === 0 ? '' : freeName(taken, ...free, 'keyParts');
  // Clients send and get the key as "id", with any name of its attribute.
  if (key.length > 0) taken.add('id');
  const kept = notOwnable(table);
  return {
    table,
    isOwned: owned && !isPlain && kept.length === 0,
    name,
    constant,
    isExternal:
      isPlain ||
      named.schema !== table.schema ||
      named.name !== table.name ||
      table.primaryKey?.name !== `pk_${table.name}` ||
      kept.length > 0 ||
      // Only tables that were there before have such columns.
      table.columns.some((each) => !key.includes(each.name) && (each.type.includes('.') || isGenerated(each))),
    traits,
    keyName,
    taken,
    paths: new Map([...traits.columns].map(([column, attribute]) => [column, attribute])),
    sharing: new Map(),
    attributes: [],
    enums: new Set(),
    findings: owned && !isPlain ? [...kept] : [],
  };
}

export const addFinding = (draft: Draft, object: Finding['object'], name: string, reason: string): void => {
  draft.findings.push({ table: tableName(draft.table), object, name, reason });
};

/**
 * The attribute of a column that is no reference; undefined where no datatype has its values, which is a finding.
 *
 * @param prefix of the column's name before that of the attribute
 */
export function columnAttribute(
  draft: Draft,
  column: FoundColumn,
  enums: EnumPlans,
  scope: { readonly taken: Set<string>; readonly prefix?: string; readonly isKey?: boolean },
): AttributePlan | undefined {
  const { prefix = '', isKey = false } = scope;
  const missing = (reason: string): undefined => {
    const isNeeded = !column.nullable && column.default === null && !column.computed;
    addFinding(draft, 'column', column.name, isNeeded ? `${reason}; ${consequenceFor(draft.table)}` : reason);
  };
  const enumeration = isKey ? undefined : enumOf(draft, column, enums);
  const type = columnTypeOf(column);
  if (type === undefined && enumeration === undefined)
    return missing(`is of type ${column.type}, which the model does not have`);
  if (type?.kind === 'list' && column.computed) return missing('is an array that the database computes');
  if (type?.kind === 'list' && keyOf(draft.table).length === 0)
    return missing('is an array, which a list without a key does not have');
  const isGiven = !isKey && isGenerated(column);
  if (type?.isFilled === true && !column.computed) missing(`is of type ${column.type}, which the model only reads`);
  if (enumeration === undefined && type?.note !== undefined) addFinding(draft, 'column', column.name, type.note);
  const stripped = prefix !== '' && column.name.startsWith(prefix) ? column.name.slice(prefix.length) : column.name;
  const name = freeName(scope.taken, camelCase(stripped), `${camelCase(stripped)}Value`);
  const value = isGiven ? undefined : defaultValueOf(draft, column, type?.kind ?? 'other', enumeration);
  const isUsual = snakeCase(name) === stripped;
  return {
    name,
    calls: [
      enumeration?.builder ?? type?.builder ?? '',
      ...(column.nullable || (isKey && prefix === '' && keyOf(draft.table).length === 1) ? [] : ['.mandatory()']),
      ...(value === undefined ? [] : [value]),
      ...(isGiven ? ['.generated()'] : []),
      ...(isKey && type?.microseconds === true ? ['.microseconds()'] : []),
      ...(column.unbounded === true ? ['.unbounded()'] : []),
      ...(isUsual ? [] : [`.column(${literal(stripped)})`]),
      ...(enumeration?.stored ?? type?.stored ?? []),
    ],
    comment: column.comment ?? undefined,
  };
}

/** What a mandatory column means that the model does not have. */
const consequenceFor = ({ automatisms }: FoundTable): string =>
  automatisms.some(({ kind, definition }) => kind === 'trigger' && /BEFORE .*INSERT/.test(definition))
    ? 'it is mandatory, so rows can be added only if a trigger gives it a value'
    : 'it is mandatory, so no row can be added';

interface EnumColumn {
  readonly builder: string;
  readonly stored: readonly string[];
  readonly values: readonly (readonly [name: string, id: string | number])[];
}

/** What means true and false, wherever a check allows both and nothing else. */
const BOOLEANS: readonly (readonly [string | number, string | number])[] = [
  ['Y', 'N'],
  ['J', 'N'],
  ['T', 'F'],
  ['1', '0'],
  [1, 0],
  ['yes', 'no'],
  ['true', 'false'],
];

function enumOf(draft: Draft, column: FoundColumn, enums: EnumPlans): EnumColumn | undefined {
  const stored = (own: string): readonly string[] =>
    column.type === own ? [] : [`.storedAs(${literal(column.type)})`];
  if (column.typeKind === 'e') {
    const plan = enums.ofType(column.type, column.labels ?? []);
    draft.enums.add(plan.constant);
    return { builder: `enumOf(${plan.constant})`, stored: stored(''), values: plan.values };
  }
  const checked = checkedValues(draft.table, column);
  if (checked === undefined) return undefined;
  const pair = BOOLEANS.find(
    (known) => known.every((value) => checked.values.includes(value)) && checked.values.length === 2,
  );
  if (pair !== undefined) {
    const [yes, no] = pair.map((value) => (typeof value === 'number' ? String(value) : literal(value)));
    const type =
      typeof pair[0] === 'number'
        ? 'smallint'
        : `character varying(${Math.max(...pair.map((each) => String(each).length))})`;
    return {
      builder: `boolean({ true: ${yes}, false: ${no} })`,
      stored: stored(type),
      values: [
        ['true', pair[0]],
        ['false', pair[1]],
      ],
    };
  }
  // An enum of padded codes would not be one of its labels.
  const width = /^character\((\d+)\)$/.exec(column.type)?.[1];
  if (width !== undefined && checked.values.some((value) => String(value).trimEnd().length !== Number(width)))
    return undefined;
  const plan = enums.ofCheck(draft.constant, column.name, checked.values);
  draft.enums.add(plan.constant);
  const own = typeof checked.values[0] === 'number' ? 'integer' : 'character varying(50)';
  return { builder: `enumOf(${plan.constant})`, stored: stored(own), values: plan.values };
}

/** The call for a default; one of a list that only the database can say is a finding. */
function defaultValueOf(
  draft: Draft,
  column: FoundColumn,
  kind: Parameters<typeof defaultOf>[1],
  enumeration: EnumColumn | undefined,
): string | undefined {
  const key = keyOf(draft.table);
  if (column.default === null || key.length === 0 || key.includes(column.name)) return undefined;
  const isText = enumeration !== undefined && typeof enumeration.values[0]?.[1] === 'string';
  const value = defaultOf(column, enumeration === undefined ? kind : isText ? 'text' : 'integer');
  if (value === null) return undefined;
  if (enumeration !== undefined && value !== undefined) {
    const constant = enumeration.values.find(([, id]) => (typeof id === 'string' ? literal(id) : String(id)) === value);
    if (constant !== undefined)
      return `.default(${enumeration.builder.startsWith('boolean') ? constant[0] : literal(constant[0])})`;
  } else if (value !== undefined) return `.default(${value})`;
  if (kind !== 'list') return '.databaseDefault()';
  addFinding(
    draft,
    'default',
    column.name,
    `is ${column.default} in the database; the attribute stays empty where nothing is sent`,
  );
  return undefined;
}
