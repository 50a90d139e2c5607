import { REPORT_READER } from '../migrations/platform/fragments.ts';
import type { CatalogueTable } from './catalogue.ts';
import type { DriftFinding } from './compare-catalogues.ts';
import { PLATFORM_CATALOGUE } from './platform-catalogue.ts';
import { ATTACHED_KINDS, type AttachedKind, type TablePart } from './table-part.ts';

const PLATFORM_SCHEMAS: ReadonlySet<string> = new Set(PLATFORM_CATALOGUE.tables.map(({ schema }) => schema));

/** Whether the migrations of the platform create the tables of a schema. */
export const isPlatformSchema = (schema: string): boolean => schema === 'lintel' || PLATFORM_SCHEMAS.has(schema);

/** Whether a trigger is one of those that record changes, which the model expresses. */
export const isHistoryTrigger = (definition: string): boolean => definition.includes(' FUNCTION history.record(');

const isAttached = (kind: string): kind is AttachedKind => (ATTACHED_KINDS as readonly string[]).includes(kind);

/**
 * Findings of what no model can express, in the application's own tables: triggers, policies, comments, statistics,
 * privileges. Generated migrations do not change them.
 */
export function keptParts(tables: readonly CatalogueTable[], parts: readonly TablePart[]): readonly DriftFinding[] {
  const owned = new Set(
    tables
      .filter(({ schema, external }) => external !== true && !isPlatformSchema(schema))
      .map(({ schema, name }) => `${schema}.${name}`),
  );
  return parts.flatMap(({ table, kind, name, definition }): readonly DriftFinding[] => {
    // The data service grants them at every start.
    const isOwn =
      (kind === 'privileges' && definition.endsWith(` TO ${REPORT_READER}`)) ||
      (kind === 'trigger' && isHistoryTrigger(definition));
    if (!isAttached(kind) || !owned.has(table) || isOwn) return [];
    return [{ kind: 'kept', severity: 'notice', object: kind, table, name }];
  });
}
