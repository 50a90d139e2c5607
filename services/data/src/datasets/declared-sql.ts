import { type ReportDefinition, readStoredDefinition, StoredDefinitionError } from '@lintel/application';
import type { StatementRunner } from '@lintel/persistence';
import { sqlTextsOf } from './sql-texts-of.ts';

/** Whether a text is exactly the SQL of a report. */
export type IsDeclaredSql = (text: string) => Promise<boolean>;

/** Definitions that can have SQL at all. */
const STORED = `SELECT definition FROM report.report WHERE deleted_date IS NULL AND definition LIKE '%"sql"%'`;

/**
 * Knows the SQL of the application's reports, and looks into those that administrators keep in the database: at
 * each run, so that what was taken out of a report is not run once more.
 */
export function createDeclaredSql(reports: readonly ReportDefinition[], database: StatementRunner): IsDeclaredSql {
  const own = sqlTextsOf(reports);
  return async (text) => {
    if (own.has(text)) return true;
    const stored = await database.query<{ readonly definition: string }>({ text: STORED, values: [] });
    return stored.some(({ definition }) => storedTexts(definition).has(text));
  };
}

function storedTexts(definition: string): ReadonlySet<string> {
  try {
    return sqlTextsOf([readStoredDefinition(definition)]);
  } catch (error) {
    // A definition that cannot be read is no report.
    if (error instanceof StoredDefinitionError) return new Set();
    throw error;
  }
}
