import {
  type Application,
  type ReportDefinition,
  readStoredDefinition,
  StoredDefinitionError,
} from '@lintel/application';
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
 * from the model (contract/reports.md#definition-check). Templates, group and roles are not checked.
 */
export function checkStored(text: string, known: Known): readonly string[] {
  try {
    const { roles: _roles, ...definition } = readStoredDefinition(text);
    const templates = [{ code: 'DEFAULT', outputType: 'CSV', file: 'x.csv' }] as const;
    return problemsOf({ ...UNSAVED, ...definition, templates }, known).map((problem) =>
      problem.startsWith(PREFIX) ? problem.slice(PREFIX.length) : problem,
    );
  } catch (error) {
    if (!(error instanceof StoredDefinitionError)) throw error;
    return [error.message];
  }
}
