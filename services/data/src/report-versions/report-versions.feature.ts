import type { FeatureFactory } from '../feature.ts';
import { registerReportCreation } from './create-report.routes.ts';
import { createReportVersionStore } from './create-report-version-store.ts';
import { registerReportVersionsRoutes } from './report-versions.routes.ts';

/** Versions of the reports of the database. */
export const reportVersionsFeature: FeatureFactory = (engine) => ({
  register({ rest, internal }) {
    registerReportCreation(internal, engine.write);
    registerReportVersionsRoutes(rest, engine);
  },
  start: () => createReportVersionStore(engine.ports.database).limit(engine.config.reportVersions),
});
