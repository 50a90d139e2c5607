import type { Catalogue, CatalogueColumn, CatalogueTable, ConstraintKind } from './catalogue.ts';
import {
  acceptedDifferences,
  comparableDefinition,
  missingByDefinition,
  numberedBySequence,
  uniqueConstraintsForIndexes,
} from './compare-by-meaning.ts';
import { isGenerated } from './is-generated.ts';
import type { AttachedKind } from './table-part.ts';

/** A difference. */
export interface DriftFinding {
  /** `kept`: written by hand; no generated migration drops it. */
  readonly kind: 'missing' | 'extra' | 'kept' | 'different';
  /**
   * `problem`: requests may fail or return wrong results. `notice`: an additional object that causes no failures, such
   * as a column that the next version needs or the former one has left.
   */
  readonly severity: 'problem' | 'notice';
  readonly object: 'table' | 'column' | 'index' | 'unique index' | 'view' | 'function' | ConstraintKind | AttachedKind;
  /** `schema.table`; of a view or function its own name. */
  readonly table: string;
  /** Name in the table; undefined for the table itself. */
  readonly name?: string;
  /** The aspect that differs. */
  readonly aspect?: 'type' | 'nullability' | 'default' | 'generation' | 'definition';
  readonly expected?: string;
  readonly actual?: string;
}

/** All differences, by table. Pure. */
export function compareCatalogues(expected: Catalogue, actual: Catalogue): readonly DriftFinding[] {
  const keyOf = ({ schema, name }: CatalogueTable): string => `${schema}.${name}`;
  const found = new Map(actual.tables.map((table) => [keyOf(table), table]));
  const wanted = new Map(expected.tables.map((table) => [keyOf(table), table]));
  const tables = [...new Set([...wanted.keys(), ...found.keys()])].sort().flatMap((key): readonly DriftFinding[] => {
    const [should, is] = [wanted.get(key), found.get(key)];
    if (is === undefined) {
      const object = should?.isView === true ? 'view' : 'table';
      return [{ kind: 'missing', severity: 'problem', object, table: key }];
    }
    // Views that no entity is made of are compared by name.
    if (should === undefined && is.isView === true) return [];
    if (should === undefined) return [{ kind: 'extra', severity: 'notice', object: 'table', table: key }];
    return compareTables(key, should, is);
  });
  return [
    ...tables,
    ...missing('view', expected.views, actual.views),
    ...missing('function', expected.functions, actual.functions),
  ];
}

const missing = (
  object: 'view' | 'function',
  wanted: readonly string[],
  found: readonly string[],
): readonly DriftFinding[] =>
  wanted
    .filter((name) => !found.includes(name))
    .map((table) => ({ kind: 'missing', severity: 'problem', object, table }));

function compareTables(table: string, should: CatalogueTable, is: CatalogueTable): readonly DriftFinding[] {
  const of = <O extends DriftFinding['object']>(object: O, name: string) => ({ object, table, name });
  const columns = pairs(should.columns, is.columns).flatMap(([name, wanted, found]): readonly DriftFinding[] => {
    const subject = of('column', name);
    if (wanted !== undefined && found !== undefined)
      return compareColumns(
        table,
        {
          ...wanted,
          ...(should.external === true || should.takenOver === true
            ? acceptedDifferences(wanted, found, is)
            : numberedBySequence(wanted, found)),
        },
        found,
      );
    if (found === undefined)
      return [{ kind: 'missing', severity: 'problem', ...subject, expected: wanted?.type ?? '' }];
    if (found.generated === 'stored') return [{ kind: 'kept', severity: 'notice', ...subject, actual: textOf(found) }];
    const canBeLeftOut = found.nullable || found.default !== null || found.generated !== null;
    return [{ kind: 'extra', severity: canBeLeftOut ? 'notice' : 'problem', ...subject, actual: textOf(found) }];
  });
  if (should.external === true) return [...columns, ...missingByDefinition(table, should, is)];
  const uniques = uniqueConstraintsForIndexes(table, should, is);
  const isOther = ({ name }: { readonly name: string }): boolean => !uniques.some((each) => each.name === name);
  const byMeaning = <T extends { readonly definition: string }>(wanted: T | undefined, found: T | undefined) =>
    should.takenOver === true && comparable(wanted) === comparable(found) ? wanted : found;
  return [
    ...columns,
    ...uniques,
    ...pairs(should.constraints, is.constraints.filter(isOther)).flatMap(([name, wanted, found]) =>
      compareDefinitions(of(wanted?.kind ?? found?.kind ?? 'check', name), wanted, byMeaning(wanted, found), 'problem'),
    ),
    ...pairs(should.triggers ?? [], is.triggers ?? []).flatMap(([name, wanted, found]) =>
      compareTriggers(of('trigger', name), wanted?.definition, found?.definition),
    ),
    ...pairs(should.indexes.filter(isOther), is.indexes).flatMap(([name, wanted, found]) => {
      const unique = wanted?.unique ?? found?.unique ?? false;
      return compareDefinitions(
        of(unique ? 'unique index' : 'index', name),
        wanted,
        byMeaning(wanted, found),
        unique ? 'problem' : 'notice',
      );
    }),
  ];
}

/** A trigger that is left over records more than the model says, or with other columns. */
function compareTriggers(
  subject: Pick<DriftFinding, 'object' | 'table' | 'name'>,
  expected: string | undefined,
  actual: string | undefined,
): readonly DriftFinding[] {
  if (expected === undefined) return [{ kind: 'extra', severity: 'notice', ...subject, actual: actual ?? '' }];
  if (actual === undefined) return [{ kind: 'missing', severity: 'problem', ...subject, expected }];
  if (plain(expected) === plain(actual)) return [];
  return [{ kind: 'different', severity: 'problem', ...subject, aspect: 'definition', expected, actual }];
}

const comparable = (object: { readonly definition: string } | undefined): string | undefined =>
  object && comparableDefinition(object.definition);

/** Pairs of objects with the same name, the expected ones first. */
function pairs<T extends { readonly name: string }>(
  wanted: readonly T[],
  found: readonly T[],
): readonly (readonly [string, T | undefined, T | undefined])[] {
  const names = [...new Set([...wanted, ...found].map(({ name }) => name))];
  const byName = (list: readonly T[], name: string): T | undefined => list.find((each) => each.name === name);
  return names.map((name) => [name, byName(wanted, name), byName(found, name)]);
}

const textOf = (column: CatalogueColumn): string => `${column.type}${column.nullable ? '' : ' NOT NULL'}`;

function compareColumns(table: string, should: CatalogueColumn, is: CatalogueColumn): readonly DriftFinding[] {
  const different = (
    aspect: NonNullable<DriftFinding['aspect']>,
    expected: string,
    actual: string,
  ): readonly DriftFinding[] =>
    expected === actual
      ? []
      : [
          {
            kind: 'different',
            // An additional default value causes no failures.
            severity: aspect === 'default' && expected === 'none' ? 'notice' : 'problem',
            object: 'column',
            table,
            name: should.name,
            aspect,
            expected,
            actual,
          },
        ];
  const nullability = ({ nullable }: CatalogueColumn): string => (nullable ? 'NULL' : 'NOT NULL');
  return [
    ...different('type', should.type, is.type),
    ...different('nullability', nullability(should), nullability(is)),
    ...different('default', should.default ?? 'none', is.default ?? 'none'),
    ...different('generation', should.generated ?? 'none', is.generated ?? 'none'),
  ];
}

function compareDefinitions(
  subject: Pick<DriftFinding, 'object' | 'table'> & { readonly name: string },
  should: { readonly definition: string; readonly isNamedByHash?: true } | undefined,
  is: { readonly definition: string } | undefined,
  extra: DriftFinding['severity'],
): readonly DriftFinding[] {
  const [expected, actual] = [should?.definition, is?.definition];
  if (actual === undefined) return [{ kind: 'missing', severity: 'problem', ...subject, expected: expected ?? '' }];
  if (expected === undefined)
    return isGenerated(subject.table.slice(subject.table.indexOf('.') + 1), { ...subject, definition: actual })
      ? [{ kind: 'extra', severity: extra, ...subject, actual }]
      : [{ kind: 'kept', severity: 'notice', ...subject, actual }];
  if (should?.isNamedByHash === true || plain(expected) === plain(actual)) return [];
  return [{ kind: 'different', severity: 'problem', ...subject, aspect: 'definition', expected, actual }];
}

/** The definition without its optional syntax, which PostgreSQL may add or omit: quotes, brackets and casts to text. */
const plain = (definition: string): string =>
  definition
    .replaceAll(/::text|"/g, '')
    .replaceAll(/[()\s]+/g, ' ')
    .replaceAll(' ,', ',')
    .trim();
