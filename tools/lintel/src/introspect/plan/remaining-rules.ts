import { type FoundTable, isHistoryTrigger } from '@lintel/schema';
import type { Draft } from './draft.ts';
import { type Finding, tableName } from './model-plan.ts';
import { checkedValues } from './plan-enums.ts';
import { sameColumns } from './select-tables.ts';

/** Rules of the table of an entity that remain with the database, a finding each. Pure. */
export function remainingRules(draft: Draft): readonly Finding[] {
  const { table } = draft;
  const enums = table.columns.flatMap((column) => {
    const found = draft.attributes.find(({ plan }) => plan.name === draft.paths.get(column.name));
    return found?.plan.calls[0]?.match(/^(enumOf|boolean)\(/) != null
      ? (checkedValues(table, column)?.check.name ?? [])
      : [];
  });
  const deletions = table.foreignKeys.flatMap(({ name, onDelete }): readonly Finding[] => {
    const reason = 'sets the defaults of its columns when the target is deleted; only the database does it';
    return onDelete === 'SET DEFAULT' ? [{ table: tableName(table), object: 'foreign key', name, reason }] : [];
  });
  return [...deletions, ...constraintsOf(table, new Set(enums)), ...automatismsOf(table)];
}

/** The same for a table of links or of elements, of which the model says nothing but its columns. Pure. */
export function remainingOfLink(table: FoundTable): readonly Finding[] {
  const indexes = table.indexes.flatMap(({ name, columns, unique }): readonly Finding[] => {
    const isOfReference =
      !unique && columns !== null && table.foreignKeys.some((key) => sameColumns(key.columns, columns));
    const reason = 'is of a table that becomes a collection; the database has it nevertheless';
    return isOfReference ? [] : [{ table: tableName(table), object: 'index', name, reason }];
  });
  return [...indexes, ...constraintsOf(table, new Set()), ...automatismsOf(table)];
}

function constraintsOf(table: FoundTable, expressed: ReadonlySet<string>): readonly Finding[] {
  const kinds = [
    ['check', table.checks],
    ['exclusion', table.exclusions],
  ] as const;
  return kinds.flatMap(([object, constraints]) =>
    constraints
      .filter(({ name }) => !expressed.has(name))
      .map(({ name, definition }): Finding => {
        return { table: tableName(table), object, name, reason: `${definition} is checked by the database alone` };
      }),
  );
}

/** Triggers, rules and policies: what the API writes may differ from what is stored, or be refused. */
const automatismsOf = (table: FoundTable): readonly Finding[] =>
  table.automatisms
    .filter(({ definition }) => !isHistoryTrigger(definition))
    .map(({ kind, name, definition }) => ({
      table: tableName(table),
      object: kind,
      name,
      reason: reasonOf(kind, definition),
    }));

function reasonOf(kind: FoundTable['automatisms'][number]['kind'], definition: string): string {
  switch (kind) {
    case 'trigger':
      return `is run by the database, and may change what the API has written: ${definition}`;
    case 'rule':
      return `changes statements of the API in the database: ${definition}`;
    case 'policy':
      return `limits rows (${definition}) for logins other than the owner of the table; roles of the application know nothing of it`;
    default:
      return kind satisfies never;
  }
}
