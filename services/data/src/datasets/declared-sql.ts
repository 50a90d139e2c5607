import { type ReportDefinition, readStoredDefinition, StoredDefinitionError, sqlTextsOf } from '@lintel/application';
import type { StatementRunner } from '@lintel/persistence';

/** Whether a text is exactly the SQL of a report. */
export type IsDeclaredSql = (text: string) => Promise<boolean>;

/** Definitions that can have SQL at all. */
const STORED = `SELECT definition FROM report.report WHERE deleted_date IS NULL AND definition LIKE '%"sql"%'`;

/**
 * Checks the SQL of the application's reports, and of those that administrators saved in the database. The latter are
 * read on each run, so that SQL that was removed from a report is not run again.
 */
export function createDeclaredSql(reports: readonly ReportDefinition[], database: StatementRunner): IsDeclaredSql {
  const own = new Set(reports.flatMap((report) => [...sqlTextsOf(report)]));
  return async (text) => {
    if (own.has(text)) return true;
    const stored = await database.query<{ readonly definition: string }>({ text: STORED, values: [] });
    return stored.some(({ definition }) => storedTexts(definition).has(text));
  };
}

function storedTexts(definition: string): ReadonlySet<string> {
  try {
    return sqlTextsOf(readStoredDefinition(definition));
  } catch (error) {
    // A definition that cannot be parsed is not a report.
    if (error instanceof StoredDefinitionError) return new Set();
    throw error;
  }
}
