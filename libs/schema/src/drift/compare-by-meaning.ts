import type { CatalogueColumn, CatalogueTable } from './catalogue.ts';
import type { DriftFinding } from './compare-catalogues.ts';

/**
 * The expected column adapted to an externally created one: its default is accepted, a sequence instead of an identity,
 * and any generation of a column that the database fills. PostgreSQL does not know which columns of a view are never
 * null.
 */
export function acceptedDifferences(
  wanted: CatalogueColumn,
  found: CatalogueColumn,
  table: Pick<CatalogueTable, 'isView'>,
): Partial<CatalogueColumn> {
  return {
    default: found.default,
    ...(table.isView === true || wanted.anyNullability === true ? { nullable: found.nullable } : {}),
    ...numberedBySequence(wanted, found),
    // The model has no numbers of keys that clients send.
    ...(wanted.anyGeneration === true || found.generated === 'identity' ? { generated: found.generated } : {}),
  };
}

/** A sequence numbers the rows as an identity does. */
export const numberedBySequence = (wanted: CatalogueColumn, found: CatalogueColumn): Partial<CatalogueColumn> =>
  wanted.generated === 'identity' && found.default?.startsWith('nextval(') === true
    ? { default: found.default, generated: null }
    : {};

/** Unique constraints with the names and columns of expected unique indexes: they do the same. */
export function uniqueConstraintsForIndexes(
  table: string,
  should: CatalogueTable,
  is: CatalogueTable,
): readonly DriftFinding[] {
  return should.indexes
    .filter(({ unique }) => unique)
    .flatMap(({ name, definition: expected }): readonly DriftFinding[] => {
      const found = is.constraints.find((each) => each.kind === 'unique constraint' && each.name === name);
      if (found === undefined || comparableDefinition(found.definition) !== comparableDefinition(expected)) return [];
      const subject = { object: 'unique index', table, name, aspect: 'definition' } as const;
      return [{ kind: 'different', severity: 'notice', ...subject, expected, actual: found.definition }];
    });
}

/**
 * Keys and unique indexes that an external table lacks under any name. A missing plain index, or a missing foreign key
 * that the service checks itself, is a notice.
 */
export function missingByDefinition(
  table: string,
  should: CatalogueTable,
  is: CatalogueTable,
): readonly DriftFinding[] {
  const found = new Set([...is.constraints, ...is.indexes].map(({ definition }) => comparableDefinition(definition)));
  const constraints = should.constraints.map((each) => ({ ...each, object: each.kind }));
  const indexes = should.indexes.map((each) => ({ ...each, object: each.unique ? 'unique index' : 'index' }) as const);
  return [...constraints, ...indexes]
    .filter(({ definition }) => !found.has(comparableDefinition(definition)))
    .map(({ object, name, definition }): DriftFinding => {
      const severity = object === 'index' || object === 'foreign key' ? 'notice' : 'problem';
      return { kind: 'missing', severity, object, table, name, expected: definition };
    });
}

/**
 * A definition without its own name, actions and optional syntax of PostgreSQL; unique constraints and unique indexes
 * are equal, and so are keys whatever the order of their columns is.
 */
export const comparableDefinition = (definition: string): string =>
  definition
    .replace(/^CREATE (UNIQUE )?INDEX .+? ON .+? USING btree/, (_all, unique: string | undefined) =>
      unique === undefined ? 'INDEX' : 'UNIQUE',
    )
    .replace(
      / (ON (DELETE|UPDATE)|MATCH FULL|(NOT )?DEFERRABLE|NOT VALID|INITIALLY|INCLUDE|NULLS NOT DISTINCT)\b.*$/,
      '',
    )
    // PostgreSQL prints more casts each time that it reads an expression that it has printed.
    .replaceAll(/::[a-z_. ]+(\(\d+(,\d+)?\))?(\[\])?|"/g, '')
    .replaceAll(/[()\s]+/g, ' ')
    .replaceAll(/(\[) | (?=[,\]])/g, '$1')
    .trim()
    .replace(
      /^(PRIMARY KEY|UNIQUE) (.*)$/,
      (_all, kind, columns: string) => `${kind} ${columns.split(', ').sort().join()}`,
    );
