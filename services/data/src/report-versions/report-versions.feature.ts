import type { FeatureFactory } from '../feature.ts';
import { registerReportCreation } from './create-report.routes.ts';
import { createReportVersionStore } from './create-report-version-store.ts';
import { registerReportVersionsRoutes } from './report-versions.routes.ts';

/** Versions of the reports of the database. */
export const reportVersionsFeature: FeatureFactory = ({ ports, config, accessOf, read, write, requestDatabase }) => ({
  register({ rest, internal }) {
    registerReportCreation(internal, write);
    const store = createReportVersionStore(requestDatabase);
    registerReportVersionsRoutes(rest, { path: config.paths.entitiesPath, store, accessOf, read, write });
  },
  start: () => createReportVersionStore(ports.database).limit(config.reportVersions),
});
