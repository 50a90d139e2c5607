import { quoteIdentifier, quoteTable } from '@lintel/metadata';
import type { DriftFinding } from '../drift/compare-catalogues.ts';
import { isGenerated } from '../drift/is-generated.ts';
import type { TablePart } from '../drift/table-part.ts';
import { keepsValues } from '../migrations/revert/keeps-values.ts';
import type { ConstraintDescription, TableDescription } from '../tables/expected/table-description.ts';
import { retypeColumn } from './retype-column.ts';
import { joinChanges, type SchemaChange } from './schema-difference.ts';
import {
  addConstraint,
  addForeignKey,
  addPrimaryKey,
  columnText,
  createIndex,
  createPart,
  createTable,
  dropConstraint,
  dropIndex,
  dropPart,
  dropTrigger,
} from './statements.ts';

/** The order in which the statements of a migration run; its undo runs in the reverse order. */
const STAGES = ['release', 'drop', 'remove', 'create', 'alter', 'index', 'connect', 'validate'] as const;

type Stage = (typeof STAGES)[number];

/** A change with its stage. */
interface Step extends SchemaChange {
  readonly stage: Stage;
}

const step = (stage: Stage, up: string, ...down: readonly string[]): Step => ({ stage, up: [up], down });

const losing = (one: Step): Step => ({ ...one, losses: one.up });

/** Findings that a migration removes; the others are kept. */
type Removable = DriftFinding & { readonly kind: 'missing' | 'extra' | 'different' };

export interface PlannedTables {
  /** The tables of the model, by `schema.table`. */
  readonly described: ReadonlyMap<string, TableDescription>;
  /** The parts of the existing tables, in the order in which they can be created. */
  readonly parts: readonly TablePart[];
}

/** The statements that remove the findings, each with the statements that restore exactly what was there. */
export function planSteps(findings: readonly DriftFinding[], tables: PlannedTables): SchemaChange {
  const steps = findings
    .filter(
      (finding): finding is Removable =>
        finding.kind !== 'kept' && !(finding.severity === 'notice' && finding.kind === 'different'),
    )
    .flatMap((finding) => stepsFor(finding, tables));
  return STAGES.flatMap((stage) => distinct(steps.filter((each) => each.stage === stage))).reduce<SchemaChange>(
    joinChanges,
    { up: [], down: [] },
  );
}

/** An index over two removed columns is dropped once. */
const distinct = (steps: readonly Step[]): readonly Step[] => [
  ...new Map(steps.map((each) => [each.up.join(), each])).values(),
];

function stepsFor(finding: Removable, tables: PlannedTables): readonly Step[] {
  const description = tables.described.get(finding.table);
  const parts = tables.parts.filter(({ table }) => table === finding.table);
  if (description === undefined) return dropTable(finding.table, parts);
  switch (finding.object) {
    case 'table':
      return createWholeTable(description);
    case 'column':
      return columnSteps(finding, description, parts);
    default:
      return [
        ...(finding.kind === 'missing' ? [] : dropNamed(finding, description, parts)),
        ...(finding.kind === 'extra' || isKeyOfOtherName(finding, parts)
          ? []
          : createNamed(finding.name ?? '', description)),
      ];
  }
}

/** A table has one primary key. */
const isKeyOfOtherName = ({ kind, object }: Removable, parts: readonly TablePart[]): boolean =>
  kind === 'missing' && object === 'primary key' && parts.some((part) => part.kind === 'primary key');

function createWholeTable(table: TableDescription): readonly Step[] {
  return [
    step('create', createTable(table), `DROP TABLE ${quoteTable(table)}`),
    // Dropped with the table.
    ...table.indexes.map((index) => step('index', createIndex(table, index))),
    ...(table.constraints ?? []).map(({ name, definition }) => step('index', addConstraint(table, name, definition))),
    ...table.foreignKeys.map((key) => step('connect', addForeignKey(table, key), dropConstraint(table, key.name))),
    ...(table.triggers ?? []).map(({ definition }) => step('connect', definition)),
  ];
}

/** The part of the model with this name: a key, a reference or an index. */
function createNamed(name: string, table: TableDescription): readonly Step[] {
  const [key] = table.foreignKeys.filter((each) => each.name === name);
  if (key !== undefined) return [step('connect', addForeignKey(table, key), dropConstraint(table, name))];
  const [index] = table.indexes.filter((each) => each.name === name);
  if (index !== undefined) return [step('index', createIndex(table, index), dropIndex(table, name))];
  const [constraint] = (table.constraints ?? []).filter((each) => each.name === name);
  if (constraint !== undefined) return addToRows(table, constraint);
  const [trigger] = (table.triggers ?? []).filter((each) => each.name === name);
  if (trigger !== undefined) return [step('connect', trigger.definition, dropTrigger(table, name))];
  const { primaryKey } = table;
  return primaryKey?.name === name
    ? [step('alter', addPrimaryKey(table, primaryKey), dropConstraint(table, name))]
    : [];
}

/** A check is validated afterwards, so that writes continue while the rows are read; an exclusion cannot be. */
function addToRows(table: TableDescription, { name, kind, definition }: ConstraintDescription): readonly Step[] {
  const add = addConstraint(table, name, definition);
  const drop = dropConstraint(table, name);
  if (kind === 'exclusion') return [step('index', add, drop)];
  const validate = `ALTER TABLE ${quoteTable(table)} VALIDATE CONSTRAINT ${quoteIdentifier(name)}`;
  return [step('index', `${add} NOT VALID`, drop), step('validate', validate)];
}

const isComment = ({ kind }: TablePart): boolean => kind === 'comment';

function dropNamed({ name }: DriftFinding, table: TableDescription, parts: readonly TablePart[]): readonly Step[] {
  const named = parts.filter((part) => part.name === name && part.kind !== 'column');
  const [dropped, ...comments] = named.filter((part) => isComment(part) || dropPart(table, part) !== undefined);
  return dropped === undefined ? [] : [dropWithComments(table, dropped, comments.filter(isComment))];
}

const dropWithComments = (table: TableDescription, part: TablePart, comments: readonly TablePart[]): Step =>
  step(
    part.kind === 'foreign key' ? 'release' : 'drop',
    dropPart(table, part) ?? '',
    ...[part, ...comments].map((each) => createPart(table, each)),
  );

function columnSteps(finding: Removable, table: TableDescription, parts: readonly TablePart[]): readonly Step[] {
  const name = finding.name ?? '';
  const column = table.columns.find((each) => each.name === name);
  const alter = `ALTER TABLE ${quoteTable(table)}`;
  const drop = `${alter} DROP COLUMN ${quoteIdentifier(name)}`;
  if (column === undefined) return dropColumn(name, drop, table, parts);
  if (finding.kind === 'missing') return [step('alter', `${alter} ADD ${columnText(column)}`, drop)];
  const change = (up: string, down: string): Step =>
    step(
      'alter',
      `${alter} ALTER COLUMN ${quoteIdentifier(name)} ${up}`,
      `${alter} ALTER COLUMN ${quoteIdentifier(name)} ${down}`,
    );
  const stored = parts.find((part) => part.kind === 'column' && part.name === name)?.definition ?? '';
  switch (finding.aspect) {
    case 'type': {
      const { up, down } = retypeColumn(name, finding, stored);
      const retyped = change(up, down);
      return [
        ...parts
          .filter((part) => part.columns.includes(name) && isReparsed(table, part))
          .flatMap((part) => rebuild(table, part, parts)),
        keepsValues(finding.actual ?? '', finding.expected ?? '') ? retyped : losing(retyped),
      ];
    }
    case 'nullability':
      return [column.nullable ? change('DROP NOT NULL', 'SET NOT NULL') : change('SET NOT NULL', 'DROP NOT NULL')];
    case 'generation':
      return [
        column.identity
          ? change('ADD GENERATED BY DEFAULT AS IDENTITY', 'DROP IDENTITY')
          : change('DROP IDENTITY', `ADD ${/GENERATED \S+( DEFAULT)? AS IDENTITY/.exec(stored)?.[0]}`),
      ];
    default:
      return [];
  }
}

/** Whether no generated migration created a part of a table. */
const isByHand = (table: string, part: TablePart): boolean =>
  !isGenerated(table, { ...part, object: part.definition.startsWith('CREATE UNIQUE') ? 'unique index' : part.kind });

const PLAIN_INDEX = / USING \w+ \([^()]*\)$/;

/**
 * Whether PostgreSQL would write the SQL of a part again for another type of a column, in a form that the undo does not
 * restore. Parts that the model no longer has are dropped by their own findings.
 */
function isReparsed({ name, indexes, constraints = [] }: TableDescription, part: TablePart): boolean {
  const isText =
    part.kind === 'check' || part.kind === 'exclusion' || (part.kind === 'index' && !PLAIN_INDEX.test(part.definition));
  const isKept = isByHand(name, part) || [...indexes, ...constraints].some((one) => one.name === part.name);
  return isText && isKept;
}

/** Drops a part before a change of a column, and creates it again afterwards, in both directions. */
function rebuild(table: TableDescription, part: TablePart, parts: readonly TablePart[]): readonly Step[] {
  const comments = parts.filter((each) => isComment(each) && each.name === part.name);
  const up = [part, ...comments].map((each) => createPart(table, each));
  return [dropWithComments(table, part, comments), { stage: 'index', up, down: [dropPart(table, part) ?? ''] }];
}

/** With the parts that PostgreSQL would drop silently; what was written by hand is lost with the data. */
function dropColumn(name: string, drop: string, table: TableDescription, parts: readonly TablePart[]): readonly Step[] {
  const dependent = parts.filter(({ kind, columns }) => kind !== 'column' && columns.includes(name));
  const isDropped = (part: TablePart): boolean => dropPart(table, part) !== undefined;
  const own = dependent.filter(
    (part) =>
      !isDropped(part) && !(isComment(part) && dependent.some((each) => isDropped(each) && each.name === part.name)),
  );
  const [column] = parts.filter((part) => part.kind === 'column' && part.name === name);
  return [
    ...dependent.filter(isDropped).map((part) => {
      const comments = dependent.filter((each) => isComment(each) && each.name === part.name);
      const dropped = dropWithComments(table, part, comments);
      return isByHand(table.name, part) ? losing(dropped) : dropped;
    }),
    losing(
      step(
        'remove',
        drop,
        ...[...(column === undefined ? [] : [column]), ...own].map((part) => createPart(table, part)),
      ),
    ),
  ];
}

/** A table whose entity is gone, with its parts; references first, so that tables can be dropped in any order. */
function dropTable(path: string, parts: readonly TablePart[]): readonly Step[] {
  const [schema = '', name = ''] = [path.slice(0, path.indexOf('.')), path.slice(path.indexOf('.') + 1)];
  const table = { schema, name };
  const references = parts.filter(({ kind }) => kind === 'foreign key');
  const inline = parts.filter(({ kind }) => kind === 'column' || kind === 'primary key');
  const texts = inline.map((part) =>
    part.kind === 'column'
      ? `${quoteIdentifier(part.name)} ${part.definition}`
      : `CONSTRAINT ${quoteIdentifier(part.name)} ${part.definition}`,
  );
  const others = parts.filter((part) => !references.includes(part) && !inline.includes(part));
  return [
    ...references.map((part) => step('release', dropConstraint(table, part.name), createPart(table, part))),
    losing(
      step(
        'remove',
        `DROP TABLE ${quoteTable(table)}`,
        `CREATE TABLE ${quoteTable(table)} (${texts.join(', ')})`,
        ...others.map((part) => createPart(table, part)),
      ),
    ),
  ];
}
