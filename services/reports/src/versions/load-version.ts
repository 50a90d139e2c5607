import { type Application, hasSql, type ReportDefinition, sqlTextsOf } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { type Access, assertStrongLogin } from '@lintel/security';
import { assertSqlRight } from '../definitions/find-report.ts';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import { loadStored } from '../definitions/stored-reports.ts';
import type { VersionReader } from './create-version-reader.ts';

export interface VersionPorts {
  readonly application: Pick<Application, 'model' | 'resourceRoles'>;
  readonly readVersion: VersionReader;
}

/** Seven digits; larger numbers are of no version. */
const NUMBER = /^[1-9]\d{0,6}$/;
const TEMPLATE = 'report_ReportTemplate';

/**
 * Asserts that the caller sees all templates of reports: row-level policies cannot be asked about old ones.
 *
 * @throws ACCESS_READ_DENIED
 */
export function assertSeesTemplates(access: Pick<Access, 'allows' | 'afterLogin'>, isRestricted: boolean): void {
  if (access.allows(TEMPLATE, 'read') && !isRestricted) return;
  if (!isRestricted) assertStrongLogin(access, (stronger) => stronger.allows(TEMPLATE, 'read'));
  throw new PlatformError('ACCESS_READ_DENIED', `Reading of the ${TEMPLATE} is forbidden`);
}

/**
 * Loads a version of a report that the caller sees (contract/reports.md#version-previews).
 *
 * @param present the report as it is now
 * @throws REQ_NOT_FOUND that names the number; ACCESS_DENIED, REPORT_RUN_ERROR for SQL that may not be run
 */
export async function loadVersion(
  present: LoadedReport,
  number: string,
  access: Access,
  { application, readVersion }: VersionPorts,
): Promise<LoadedReport> {
  const { id } = present.definition;
  const stored = present.isStored && NUMBER.test(number) ? await readVersion(id, Number(number)) : undefined;
  if (stored === undefined) throw new PlatformError('REQ_NOT_FOUND', `There is no version ${number} of the report`);
  const version = loadStored(stored, { ...application, reportGroups: [] });
  assertSql(version.definition, present.definition, number, access);
  return version;
}

/** SQL that was removed from a report is not run again before somebody saves it, with the right to do so. */
function assertSql(version: ReportDefinition, present: ReportDefinition, number: string, access: Access): void {
  if (!hasSql(version)) return;
  assertSqlRight(access);
  const declared = sqlTextsOf(present);
  if (![...sqlTextsOf(version)].every((sql) => declared.has(sql)))
    throw new PlatformError(
      'REPORT_RUN_ERROR',
      `Version ${number} has SQL that the report does not have now: restore the version to run it`,
    );
}
