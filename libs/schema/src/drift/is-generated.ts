import { type ConstraintKind, constraintName } from '../tables/expected/constraint-name.ts';

interface NamedObject {
  readonly object: string;
  readonly name: string;
  readonly definition: string;
}

const PREFIXES: Readonly<Record<string, readonly ConstraintKind[]>> = {
  'primary key': ['pk'],
  'foreign key': ['fk'],
  check: ['ck'],
  exclusion: ['ex'],
  index: ['ix'],
  'unique index': ['uq'],
};

const KEYS = /^(?:PRIMARY KEY|FOREIGN KEY|CREATE (?:UNIQUE )?INDEX .+ USING btree) \(([^()]*)\)/;
const SEARCHED = / USING btree \(lower\(\(?("[^"]+"|\w+)\)?(?:::text)?\)\)? text_pattern_ops\)$/;

/** Names of constraints and indexes with SQL of the model. */
const HASHED = /_[0-9a-f]{8}$/;

/** A name of SQL as the catalogue has it. */
export const unquote = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;

function columnsOf(definition: string): readonly string[] {
  const list = KEYS.exec(definition)?.[1] ?? SEARCHED.exec(definition)?.[1] ?? '';
  return list.split(', ').map(unquote);
}

/**
 * Whether a constraint or an index of a table has the name that a generated migration gives to one of its kind and
 * columns. Everything else was written by hand, and no generated migration drops it.
 */
export const isGenerated = (table: string, object: NamedObject): boolean =>
  generatedName(table, object, (column) => column) !== undefined;

/** The generated name after columns or the table were renamed; undefined if the present name is not a generated one. */
export function generatedName(
  table: string,
  { object, name, definition }: NamedObject,
  renamed: (column: string) => string,
  renamedTable = table,
): string | undefined {
  const columns = columnsOf(definition);
  const hashed = HASHED.test(name) ? PREFIXES[object]?.find((kind) => name.startsWith(`${kind}_`)) : undefined;
  if (hashed !== undefined) return name.replace(`${hashed}_${table}__`, () => `${hashed}_${renamedTable}__`);
  for (const kind of PREFIXES[object] ?? [])
    for (const qualifier of [undefined, 'live', 'search'])
      if (constraintName(kind, table, columns, qualifier) === name)
        return constraintName(kind, renamedTable, columns.map(renamed), qualifier);
  return undefined;
}
