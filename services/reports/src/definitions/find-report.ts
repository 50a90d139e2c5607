import type { ReportGroup } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { type Access, assertSpecific, assertStrongLogin } from '@lintel/security';
import type { LoadedReport, ReportCatalogue } from './report-catalogue.ts';

/** The caller with the rights of this request. */
export interface Caller {
  readonly principal: Pick<Principal, 'resourceRoles'>;
  readonly access: Pick<Access, 'allows' | 'afterLogin'>;
}

/** The details where the permission for all reports is missing. */
export const NOT_ALLOWED = 'User is not allowed to use reports: the permission reports.rest.enabled is missing';

const REPORT = 'report_Report';
const GROUP = 'report_ReportGroup';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the reports that this caller may see (contract/reports.md#visibility); any other is "not found". */
export function visibleReports(catalogue: ReportCatalogue, caller: Caller): readonly LoadedReport[] {
  assertReadable(REPORT, caller);
  return catalogue.reports.filter((report) => isVisible(report, caller));
}

/** Finds a report by its id, with the checks in the order of contract/reports.md#check-order. */
export function findReportById(catalogue: ReportCatalogue, id: string, caller: Caller): LoadedReport {
  assertReadable(REPORT, caller);
  return visibleOrMissing(catalogue.findById(parseId(id)), caller, `with id ${id}`);
}

/** Finds a report by its code, with the checks in the order of contract/reports.md#check-order. */
export function findReportByCode(catalogue: ReportCatalogue, code: string, caller: Caller): LoadedReport {
  assertReadable(REPORT, caller);
  return visibleOrMissing(catalogue.findByCode(code), caller, `with code ${code}`);
}

/** Finds a group by its id, with the checks in the order of contract/reports.md#check-order. */
export function findGroupById(catalogue: ReportCatalogue, id: string, caller: Caller): ReportGroup {
  assertReadable(GROUP, caller);
  const group = catalogue.findGroup(parseId(id));
  if (group === undefined) throw notFound(GROUP, `with id ${id}`);
  return group;
}

function isVisible({ definition }: LoadedReport, { principal }: Caller): boolean {
  const { restAccess, roles } = definition;
  return restAccess && (roles === undefined || roles.some((role) => principal.resourceRoles.includes(role)));
}

function visibleOrMissing(report: LoadedReport | undefined, caller: Caller, which: string): LoadedReport {
  if (report === undefined || !isVisible(report, caller)) throw notFound(REPORT, which);
  return report;
}

/**
 * Asserts the right to read reports, or groups of them, before anything is looked up (contract/decisions.md#69).
 *
 * @throws step 1 of contract/reports.md#check-order
 */
export function assertReadable(entity: typeof REPORT | typeof GROUP, { access }: Pick<Caller, 'access'>): void {
  if (!access.allows(entity, 'read')) {
    assertStrongLogin(access, (stronger) => stronger.allows(entity, 'read'));
    throw new PlatformError('ACCESS_READ_DENIED', `Reading of the ${entity} is forbidden`);
  }
}

function parseId(id: string): string {
  if (!UUID.test(id)) throw new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${id} into valid entity ID`);
  return id.toLowerCase();
}

const notFound = (entity: string, which: string): PlatformError =>
  new PlatformError('MODEL_ENTITY_NOT_FOUND', `Entity ${entity} ${which} not found`);

/** @throws ACCESS_DENIED where the caller may not see all rows, which SQL reads */
export const assertSqlRight = (access: Access): void =>
  assertSpecific(
    access,
    'reports.sql.edit',
    'ACCESS_DENIED',
    'User is not allowed to see all rows of reports with SQL',
  );
