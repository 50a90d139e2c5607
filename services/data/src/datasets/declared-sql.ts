import {
  type ReportBand,
  type ReportDataSet,
  type ReportDefinition,
  readStoredDefinition,
  StoredDefinitionError,
} from '@lintel/application';
import type { StatementRunner } from '@lintel/persistence';

type Definition = Pick<ReportDefinition, 'bands' | 'rootDataSets'>;

/** The SQL of all data sets of some reports; no other SQL is run. */
const sqlTextsOf = (reports: readonly Definition[]): ReadonlySet<string> =>
  new Set(
    reports
      .flatMap(({ bands, rootDataSets = [] }) => [...rootDataSets, ...bands.flatMap(dataSetsOf)])
      .flatMap((set) => (set.kind === 'sql' ? [set.sql] : [])),
  );

const dataSetsOf = ({ dataSets = [], bands = [] }: ReportBand): readonly ReportDataSet[] => [
  ...dataSets,
  ...bands.flatMap(dataSetsOf),
];

/** Whether a text is exactly the SQL of a report. */
export type IsDeclaredSql = (text: string) => Promise<boolean>;

/** Definitions that can have SQL at all. */
const STORED = `SELECT definition FROM report.report WHERE deleted_date IS NULL AND definition LIKE '%"sql"%'`;

/**
 * Checks the SQL of the application's reports, and of those that administrators saved in the database. The latter are
 * read on each run, so that SQL that was removed from a report is not run again.
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
    // A definition that cannot be parsed is not a report.
    if (error instanceof StoredDefinitionError) return new Set();
    throw error;
  }
}
