import { quoteIdentifier, quoteTable } from '@lintel/metadata';
import type { Catalogue, CatalogueConstraint, CatalogueIndex, CatalogueTable, ConstraintKind } from './catalogue.ts';
import { comparableDefinition } from './compare-by-meaning.ts';
import { compareCatalogues, type DriftFinding } from './compare-catalogues.ts';

/** A difference between existing tables and those that migrations create. */
export interface BaselineFinding extends DriftFinding {
  /** The statements that remove it; none where rows would decide how. */
  readonly proposal: readonly string[];
}

export interface BaselineComparison {
  /** A problem is what later migrations rely on. A notice is what is there in addition, or does the same another way. */
  readonly findings: readonly BaselineFinding[];
  /** Statements that give constraints and indexes the expected names. */
  readonly renames: readonly string[];
}

/** What has a name and a definition in a table: a constraint or an index. */
interface Named extends Pick<CatalogueConstraint, 'name' | 'definition'> {
  readonly object: ConstraintKind | 'index' | 'unique index';
}

/**
 * Compares existing tables with those that migrations create: constraints and indexes by their definitions, whatever
 * their names are. Pure.
 */
export function compareForBaseline(
  expected: Pick<Catalogue, 'tables'>,
  actual: Pick<Catalogue, 'tables'>,
): BaselineComparison {
  const wanted = { tables: expected.tables.map(withoutNames), views: [], functions: [] };
  const names = new Set(expected.tables.map(nameOf));
  const found = { tables: actual.tables.filter((table) => names.has(nameOf(table))), views: [], functions: [] };
  const columns = compareCatalogues(wanted, found).map((finding) => withProposal(finding, expected));
  const pairs = expected.tables.flatMap((should) => {
    const is = found.tables.find((table) => nameOf(table) === nameOf(should));
    return is === undefined ? [] : [compareNamed(should, is)];
  });
  return {
    findings: [...columns, ...pairs.flatMap(({ findings }) => findings)],
    renames: pairs.flatMap(({ renames }) => renames),
  };
}

const nameOf = ({ schema, name }: Pick<CatalogueTable, 'schema' | 'name'>): string => `${schema}.${name}`;

/** Defaults and numbering are compared by their effect, as in tables of other owners. */
const withoutNames = (table: CatalogueTable): CatalogueTable => ({
  ...table,
  external: true,
  constraints: [],
  indexes: [],
});

const namedOf = (table: CatalogueTable): readonly Named[] => [
  ...table.constraints.map(({ kind, ...rest }) => ({ ...rest, object: kind })),
  ...table.indexes.map((index: CatalogueIndex): Named => {
    const { name, definition, unique } = index;
    return { name, definition, object: unique ? 'unique index' : 'index' };
  }),
];

function compareNamed(should: CatalogueTable, is: CatalogueTable): BaselineComparison {
  const findings: BaselineFinding[] = [];
  const renames: string[] = [];
  const left = new Set(namedOf(is));
  const table = nameOf(should);
  // Equal names first: two objects may have one definition.
  const byName = (one: Named): number => (namedOf(is).some(({ name }) => name === one.name) ? 0 : 1);
  for (const wanted of [...namedOf(should)].sort((one, other) => byName(one) - byName(other))) {
    const { object, name, definition } = wanted;
    const equal = [...left].filter(
      (each) => comparableDefinition(each.definition) === comparableDefinition(definition),
    );
    const match = equal.find((each) => each.name === name) ?? equal[0];
    if (match === undefined) {
      const proposal = [creationOf(should, wanted)];
      findings.push({ kind: 'missing', severity: 'problem', object, table, name, expected: definition, proposal });
      continue;
    }
    left.delete(match);
    if (match.name !== name) renames.push(renameOf(should, match, name));
    findings.push(...otherForm(should, wanted, { ...match, name }));
  }
  for (const { object, name, definition } of left)
    findings.push({ kind: 'extra', severity: 'notice', object, table, name, actual: definition, proposal: [] });
  return { findings, renames };
}

/** The same columns with other actions, or a unique constraint instead of a unique index. */
function otherForm(table: CatalogueTable, wanted: Named, found: Named): readonly BaselineFinding[] {
  const plain = (definition: string): string =>
    definition.replace(/^CREATE (UNIQUE )?INDEX .+? ON /, 'CREATE $1INDEX ON ').replaceAll('"', '');
  if (wanted.object === found.object && plain(wanted.definition) === plain(found.definition)) return [];
  return [
    {
      kind: 'different',
      severity: 'notice',
      object: wanted.object,
      table: nameOf(table),
      name: wanted.name,
      aspect: 'definition',
      expected: wanted.definition,
      actual: found.definition,
      proposal: [removalOf(table, found), creationOf(table, wanted)],
    },
  ];
}

const isIndex = ({ object }: Named): boolean => object === 'index' || object === 'unique index';

const renameOf = (table: CatalogueTable, named: Named, name: string): string =>
  isIndex(named)
    ? `ALTER INDEX ${quoteTable({ schema: table.schema, name: named.name })} RENAME TO ${quoteIdentifier(name)}`
    : `ALTER TABLE ${quoteTable(table)} RENAME CONSTRAINT ${quoteIdentifier(named.name)} TO ${quoteIdentifier(name)}`;

/** Statements for a database in use: an index is built without blocking writes. */
const creationOf = (table: CatalogueTable, named: Named): string =>
  isIndex(named)
    ? named.definition.replace(/ INDEX /, ' INDEX CONCURRENTLY ')
    : `ALTER TABLE ${quoteTable(table)} ADD CONSTRAINT ${quoteIdentifier(named.name)} ${named.definition}`;

const removalOf = (table: CatalogueTable, named: Named): string =>
  isIndex(named)
    ? `DROP INDEX ${quoteTable({ schema: table.schema, name: named.name })}`
    : `ALTER TABLE ${quoteTable(table)} DROP CONSTRAINT ${quoteIdentifier(named.name)}`;

function withProposal(finding: DriftFinding, expected: Pick<Catalogue, 'tables'>): BaselineFinding {
  const table = expected.tables.find((each) => nameOf(each) === finding.table);
  const column = table?.columns.find(({ name }) => name === finding.name);
  if (table === undefined || column === undefined) return { ...finding, proposal: [] };
  const begin = `ALTER TABLE ${quoteTable(table)}`;
  const name = quoteIdentifier(column.name);
  if (finding.kind === 'missing')
    return { ...finding, proposal: [`${begin} ADD ${name} ${column.type}${column.nullable ? '' : ' NOT NULL'}`] };
  switch (finding.aspect) {
    case 'type':
      return { ...finding, proposal: [`${begin} ALTER COLUMN ${name} TYPE ${column.type}`] };
    case 'nullability':
      return { ...finding, proposal: [`${begin} ALTER COLUMN ${name} ${column.nullable ? 'DROP' : 'SET'} NOT NULL`] };
    case 'generation':
      return {
        ...finding,
        proposal:
          column.generated === 'identity' ? [`${begin} ALTER COLUMN ${name} ADD GENERATED BY DEFAULT AS IDENTITY`] : [],
      };
    default:
      return { ...finding, proposal: [] };
  }
}
