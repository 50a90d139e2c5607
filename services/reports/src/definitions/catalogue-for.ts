import type { Principal } from '@lintel/contracts';
import { type RoleRegistry, unknownRowRoles } from '@lintel/security';
import type { DatasetClient, RunToken } from '../datasets/dataset-client.ts';
import { combineCatalogue, type ReportCatalogue } from './report-catalogue.ts';
import type { StoredReports } from './stored-reports.ts';

export interface CatalogueForPorts {
  /** The reports of the application. */
  readonly ofApplication: () => ReportCatalogue;
  /** Those of the database at this moment. */
  readonly stored: () => StoredReports;
  readonly currentRoles: () => RoleRegistry;
  readonly datasets: Pick<DatasetClient, 'read'>;
}

/** Who asks, with a token that reads data for this caller. */
export interface Asking {
  readonly principal: Pick<Principal, 'rowLevelRoles'>;
  readonly token: RunToken;
  readonly signal: AbortSignal;
}

/** The reports that a caller's row-level rules leave (contract/reports.md#visibility). */
export type CatalogueFor = (asking: Asking) => Promise<ReportCatalogue>;

const REPORT = 'report_Report';
const GROUP = 'report_ReportGroup';

/** Only for callers whose row-level roles are about reports the data service is asked. */
export function createCatalogueFor({ ofApplication, stored, currentRoles, datasets }: CatalogueForPorts): CatalogueFor {
  let latest: { readonly of: StoredReports; readonly catalogue: ReportCatalogue } | undefined;
  const whole = (): ReportCatalogue => {
    const of = stored();
    if (latest?.of !== of) latest = { of, catalogue: combineCatalogue(ofApplication(), of) };
    return latest.catalogue;
  };
  const hasRules = (entity: string, { rowLevelRoles }: Asking['principal']): boolean => {
    const book = currentRoles();
    const { rowRoles } = book;
    // The data service shows nothing to the holder of an unknown role.
    if (unknownRowRoles(rowLevelRoles, book).length > 0) return true;
    return rowLevelRoles.some((code) => rowRoles.get(code)?.policies.some((policy) => policy.entity === entity));
  };
  return async (asking) => {
    const [reports, groups] = [hasRules(REPORT, asking.principal), hasRules(GROUP, asking.principal)];
    if (!reports && !groups) return whole();
    const seenReports = reports ? await idsOf(REPORT, asking, datasets) : undefined;
    const seenGroups = groups ? await idsOf(GROUP, asking, datasets) : undefined;
    const of = stored();
    return combineCatalogue(ofApplication(), {
      reports: of.reports.filter(({ definition }) => seenReports?.has(definition.id) ?? true),
      groups: of.groups.filter(({ id }) => seenGroups?.has(id) ?? true),
    });
  };
}

async function idsOf(
  entity: string,
  { token, signal }: Asking,
  datasets: CatalogueForPorts['datasets'],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { id } of datasets.read({ entity, fetchPlan: '_instance_name' }, token, signal)) ids.add(String(id));
  return ids;
}
