import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import { assertTables, grantReportReader } from '@lintel/schema';
import { applicationSchemas } from '../application-database.ts';
import { safetyOf } from '../config.ts';
import type { FeatureFactory } from '../feature.ts';

/** Warns of insecure settings, checks the tables, and grants the rights of the login that runs SQL of reports. */
export const startChecksFeature: FeatureFactory = ({ ports, config }) => ({
  async start() {
    const { application, database, applicationDatabase, logger, reportDatabase } = ports;
    warnOfInsecurity(insecureSettings(config, safetyOf), logger);
    if (applicationDatabase === undefined) await assertTables(database, application.model);
    else {
      const schemas = applicationSchemas(application);
      await assertTables(database, application.model, ({ schema }) => !schemas.includes(schema));
      await assertTables(applicationDatabase, application.model, ({ schema }) => schemas.includes(schema));
    }
    if (reportDatabase !== undefined) await grantReportReader(database, application.model);
  },
});
