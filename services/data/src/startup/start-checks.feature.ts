import { applicationWarnings, messageWarnings, nearMisses } from '@lintel/application';
import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import { quoteTable, tableOf } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import { assertTables, grantReportReader } from '@lintel/schema';
import { applicationSchemas } from '../application-database.ts';
import { safetyOf } from '../config.ts';
import type { FeatureFactory } from '../feature.ts';
import { anonymousWarnings } from './anonymous-warnings.ts';
import { delegationWarnings } from './delegation-warnings.ts';
import { roleWarnings } from './role-warnings.ts';

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

/** Logs, once at each start, what is valid in the declarations and may do something else than it seems to. */
export const startWarningsFeature: FeatureFactory = ({ ports, config, read }) => ({
  async start() {
    const { application, database, logger, currentRoles } = ports;
    const roles = currentRoles();
    const { anonymousUrlPatterns, resourceServerAnonymousUrlPatterns } = config.platform;
    const patterns = [...anonymousUrlPatterns, ...resourceServerAnonymousUrlPatterns];
    const roleCodes = await anonymousRoles(database);
    for (const warning of [
      ...applicationWarnings(application, roles),
      ...nearMisses(application, roles, read.currentMessages()),
      ...messageWarnings(application, read.currentMessages(), config.availableLocales),
      ...anonymousWarnings({ patterns, roleCodes }, roles),
      ...delegationWarnings(config.delegation, roles),
      ...roleWarnings(config.limits.role, roles),
    ])
      logger.warn({ warning }, 'a declaration may do something else than it seems to');
  },
});

async function anonymousRoles(database: Database): Promise<readonly string[]> {
  const rows = await database.query({
    text: `SELECT role_code FROM ${quoteTable(tableOf({ name: 'sec_RoleAssignment' }))} WHERE username = $1 AND role_type = $2 ORDER BY 1`,
    values: ['anonymous', 'resource'],
  });
  return rows.map((row) => String(row['role_code']));
}
