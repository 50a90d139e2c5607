import type { FoundColumn, FoundTable } from '@lintel/schema';
import { type AttributePlan, literal } from './model-plan.ts';
import { keyOf } from './select-tables.ts';

type SystemName =
  | 'version'
  | 'createdDate'
  | 'createdBy'
  | 'lastModifiedDate'
  | 'lastModifiedBy'
  | 'deletedDate'
  | 'deletedBy';

/** The names that columns of this meaning have, the platform's own first. */
const NAMES: Readonly<Record<SystemName, readonly string[]>> = {
  version: ['version', 'lock_version', 'row_version'],
  createdDate: ['created_date', 'created_at', 'created_on', 'date_created', 'create_ts'],
  createdBy: ['created_by'],
  lastModifiedDate: [
    'last_modified_date',
    'last_modified_at',
    'updated_at',
    'modified_at',
    'updated_on',
    'modified_on',
    'updated_date',
    'modified_date',
    'last_updated',
    'last_update',
    'update_ts',
  ],
  lastModifiedBy: ['last_modified_by', 'updated_by', 'modified_by'],
  deletedDate: ['deleted_date', 'deleted_at', 'deleted_on', 'delete_ts'],
  deletedBy: ['deleted_by'],
};

const DATE = /^timestamp(\(\d\))? with(out)? time zone$/;
const TEXT = /^(text|character varying(\((\d+)\))?)$/;

/** Which columns are kept by the platform: the names of the attributes, and what of them must be said. */
export interface FoundTraits {
  readonly columns: ReadonlyMap<string, SystemName>;
  /** `standard` and `soft` have all that their builders bring; others list what they have. */
  readonly kind: 'standard' | 'soft' | 'some';
  /** Text of the option `traits`; undefined where there is nothing to say. */
  readonly text: string | undefined;
  /** Attributes whose column has another name or type than the platform's. */
  readonly attributes: readonly AttributePlan[];
}

export const NO_TRAITS: FoundTraits = Object.freeze({
  columns: new Map(),
  kind: 'some',
  text: undefined,
  attributes: [],
});

/** Columns of version, audit and soft deletion, by name and type; one of a key is none. Pure. */
export function findTraits(table: FoundTable, isUuidKey: boolean): FoundTraits {
  const other = new Set([...keyOf(table), ...table.foreignKeys.flatMap(({ columns }) => columns)]);
  const found = new Map<SystemName, FoundColumn>();
  for (const [name, spellings] of Object.entries(NAMES) as [SystemName, readonly string[]][]) {
    const column = spellings
      .map((spelling) => table.columns.find((each) => each.name === spelling))
      .find((each) => each !== undefined && fits(name, each) && !other.has(each.name));
    if (column !== undefined) found.set(name, column);
  }
  if (!found.has('deletedDate')) found.delete('deletedBy');
  const audit = (['createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy'] as const).filter((name) =>
    found.has(name),
  );
  const isWhole = isUuidKey && found.has('version') && audit.length === 4;
  const deleted = (['deletedDate', 'deletedBy'] as const).filter((name) => found.has(name));
  const kind = isWhole && deleted.length === 2 ? 'soft' : isWhole && deleted.length === 0 ? 'standard' : 'some';
  const traits = [
    ...(found.has('version') ? ['versioned: true'] : []),
    ...(audit.length === 4
      ? ['audited: true']
      : audit.length > 0
        ? [`audited: [${audit.map(literal).join(', ')}]`]
        : []),
    ...(deleted.length === 2 ? ['softDeleted: true'] : deleted.length === 1 ? [`softDeleted: ['deletedDate']`] : []),
  ];
  return {
    columns: new Map([...found].map(([name, column]) => [column.name, name])),
    kind,
    text: kind === 'some' && traits.length > 0 ? `{ ${traits.join(', ')} }` : undefined,
    attributes: [...found].flatMap(([name, column]) => differing(name, column)),
  };
}

function fits(name: SystemName, { type, nullable, computed }: FoundColumn): boolean {
  if (computed) return false;
  if (name === 'version') return type === 'integer' && !nullable;
  if (name.endsWith('Date')) return DATE.test(type) && (nullable || name !== 'deletedDate');
  return TEXT.test(type) && (nullable || name === 'createdBy');
}

/** The system attribute as it is in the table, where the platform would have it otherwise. */
function differing(name: SystemName, column: FoundColumn): readonly AttributePlan[] {
  const own = NAMES[name][0];
  const isDate = name.endsWith('Date');
  const [, , , length] = TEXT.exec(column.type) ?? [];
  const isUsual =
    column.name === own &&
    (name === 'version' ||
      (column.nullable && column.type === (isDate ? 'timestamp(3) without time zone' : 'character varying(255)')));
  if (isUsual) return [];
  const builder =
    name === 'version' ? 'integer()' : isDate ? 'dateTime()' : length === undefined ? 'text()' : `string(${length})`;
  const ownType = isDate ? 'timestamp(3) without time zone' : length === undefined ? 'text' : column.type;
  return [
    {
      name,
      calls: [
        builder,
        ...(column.nullable ? [] : ['.mandatory()']),
        ...(column.name === own ? [] : [`.column(${literal(column.name)})`]),
        ...(name === 'version' || column.type === ownType ? [] : [`.storedAs(${literal(column.type)})`]),
      ],
      comment: column.comment ?? undefined,
    },
  ];
}
