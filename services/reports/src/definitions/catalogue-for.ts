import type { Principal } from '@lintel/contracts';
import { type RoleRegistry, unknownRowRoles } from '@lintel/security';
import type { DatasetClient, RunToken } from '../datasets/dataset-client.ts';
import { combineCatalogue, type ReportCatalogue } from './report-catalogue.ts';
import type { StoredReports } from './stored-reports.ts';

export interface CatalogueForPorts {
  /** The reports of the application. */
  readonly ofApplication: () => ReportCatalogue;
  /** The current reports of the database. */
  readonly stored: () => StoredReports;
  readonly currentRoles: () => RoleRegistry;
  readonly datasets: Pick<DatasetClient, 'read'>;
}

/** The caller, with a token that reads data for this caller. */
export interface CatalogueCaller {
  readonly principal: Pick<Principal, 'rowLevelRoles'>;
  readonly token: RunToken;
  readonly signal: AbortSignal;
}

/** Returns the reports that a caller's row-level rules permit (contract/reports.md#visibility). */
export type CatalogueFor = (caller: CatalogueCaller) => Promise<ReportCatalogue>;

const REPORT = 'report_Report';
const GROUP = 'report_ReportGroup';

/** The data service is called only for callers with row-level rules on reports or groups. */
export function createCatalogueFor({ ofApplication, stored, currentRoles, datasets }: CatalogueForPorts): CatalogueFor {
  let latest: { readonly of: StoredReports; readonly catalogue: ReportCatalogue } | undefined;
  const whole = (): ReportCatalogue => {
    const of = stored();
    if (latest?.of !== of) latest = { of, catalogue: combineCatalogue(ofApplication(), of) };
    return latest.catalogue;
  };
  const hasRules = (entity: string, principal: CatalogueCaller['principal']): boolean =>
    hasRowRules(entity, principal, currentRoles());
  return async (caller) => {
    const [reports, groups] = [hasRules(REPORT, caller.principal), hasRules(GROUP, caller.principal)];
    if (!reports && !groups) return whole();
    const visibleReports = reports ? await idsOf(REPORT, caller, datasets) : undefined;
    const visibleGroups = groups ? await idsOf(GROUP, caller, datasets) : undefined;
    const of = stored();
    return combineCatalogue(ofApplication(), {
      reports: of.reports.filter(({ definition }) => visibleReports?.has(definition.id) ?? true),
      groups: of.groups.filter(({ id }) => visibleGroups?.has(id) ?? true),
    });
  };
}

/** Whether row-level rules of a caller restrict an entity. */
export function hasRowRules(
  entity: string,
  { rowLevelRoles }: CatalogueCaller['principal'],
  registry: RoleRegistry,
): boolean {
  const { rowRoles } = registry;
  // A caller with an unknown role can read nothing from the data service.
  if (unknownRowRoles(rowLevelRoles, registry).length > 0) return true;
  return rowLevelRoles.some((code) => rowRoles.get(code)?.policies.some((policy) => policy.entity === entity));
}

async function idsOf(
  entity: string,
  { token, signal }: CatalogueCaller,
  datasets: CatalogueForPorts['datasets'],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { id } of datasets.read({ entity, fetchPlan: '_instance_name' }, token, signal)) ids.add(String(id));
  return ids;
}
