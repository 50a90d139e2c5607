import {
  type Application,
  type ReportDefinition,
  type ReportTemplate,
  readStoredDefinition,
  StoredDefinitionError,
} from '@lintel/application';
import type { ReportProblem } from '@lintel/documents';
import { nextIteration } from '@lintel/timing';
import { type CheckContext, checkReport } from '../checks/check-report.ts';
import { describeQueries } from '../definitions/check-data-sets.ts';
import { problemsOf } from '../definitions/check-definition.ts';

type Known = Pick<Application, 'model' | 'resourceRoles'>;

/** What a definition that is not saved lacks of a report. */
const UNSAVED: Pick<ReportDefinition, 'id' | 'name' | 'restAccess'> = {
  id: '00000000-0000-4000-8000-000000000000',
  name: '',
  restAccess: false,
};
const PREFIX = `${UNSAVED.id}: `;

/**
 * The problems of the attribute `definition` of `report_Report`: the first mistake of its form, else all differences
 * from the model, and those of the templates and formats (contract/reports.md#definition-check). Group and roles are not
 * checked.
 */
export async function checkStored(
  { definition: text, templates }: { readonly definition: string; readonly templates: readonly ReportTemplate[] },
  known: Known,
  context: CheckContext,
): Promise<readonly ReportProblem[]> {
  try {
    const { roles: _roles, ...definition } = readStoredDefinition(text);
    const any = [{ code: 'DEFAULT', outputType: 'CSV', file: 'x.csv' }] as const;
    const report = { ...UNSAVED, ...definition, templates: templates.length === 0 ? any : templates };
    const queries = await describeQueries(report, known.model);
    const problems = problemsOf(report, known, queries).map(
      (problem): ReportProblem => ({ severity: 'error', message: problem.slice(PREFIX.length) }),
    );
    await nextIteration();
    return [...problems, ...(await checkReport({ ...report, templates }, context, queries))];
  } catch (error) {
    if (!(error instanceof StoredDefinitionError)) throw error;
    return [{ severity: 'error', message: error.message }];
  }
}
