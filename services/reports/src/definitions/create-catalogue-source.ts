import type { TemplateLimits } from '@lintel/documents';
import type { ReportsPorts } from '../reports-ports.ts';
import { type CatalogueFor, createCatalogueFor } from './catalogue-for.ts';
import { loadReportCatalogue, type ReportCatalogue } from './report-catalogue.ts';
import type { StoredReports } from './stored-reports.ts';

const NO_STORED_REPORTS: StoredReports = { reports: [], groups: [] };

/** The reports of the application, once they are loaded, and those of the database. */
export interface CatalogueSource {
  /**
   * Reads and checks the definitions of the application and their templates.
   *
   * @throws ReportDefinitionError with all problems
   */
  load(limits: TemplateLimits): Promise<ReportCatalogue>;
  isLoaded(): boolean;
  /** The reports that a caller can see. */
  readonly catalogueFor: CatalogueFor;
}

/** Creates the source of the reports of a service. */
export function createCatalogueSource(ports: ReportsPorts): CatalogueSource {
  const { application, storedReports, currentRoles, datasets } = ports;
  let loaded: ReportCatalogue | undefined;
  const catalogueFor = createCatalogueFor({
    ofApplication() {
      if (loaded === undefined) throw new Error('The reports service was not started');
      return loaded;
    },
    stored: storedReports ?? (() => NO_STORED_REPORTS),
    currentRoles,
    datasets,
  });
  return {
    async load(limits) {
      loaded = await loadReportCatalogue(application, ports.readTemplate, limits);
      return loaded;
    },
    isLoaded: () => loaded !== undefined,
    catalogueFor,
  };
}
