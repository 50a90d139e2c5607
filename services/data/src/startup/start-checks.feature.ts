import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import { assertTables, grantReportReader } from '@lintel/schema';
import { safetyOf } from '../config.ts';
import type { FeatureFactory } from '../feature.ts';

/** Warns of insecure settings, checks the tables, and grants the rights of the login that runs SQL of reports. */
export const startChecksFeature: FeatureFactory = ({ ports, config }) => ({
  async start() {
    const { application, database, logger, reportDatabase } = ports;
    warnOfInsecurity(insecureSettings(config, safetyOf), logger);
    await assertTables(database, application.model);
    if (reportDatabase !== undefined) await grantReportReader(database, application.model);
  },
});
