import { ConfigurationError, isExposed, isStrict } from '@lintel/config';
import { safetyOf } from '../config.ts';
import type { FeatureFactory } from '../feature.ts';
import { findDemoUsers } from './find-demo-users.ts';

const INSECURITY = 'demo-data';

/**
 * Refuses the start, or warns if `svc.security.allow-insecure` has `demo-data`, where users have published passwords:
 * demo data may have been loaded before the database became one of production.
 */
export const demoUsersFeature: FeatureFactory = ({ ports, config }) => ({
  async start() {
    const { platform } = config;
    if (!isExposed(platform, safetyOf(config).hosts) && !isStrict(platform)) return;
    const isAllowed = platform.allowInsecure.includes(INSECURITY);
    // The settings name the demo data itself.
    if (isAllowed && config.demoEnabled) return;
    const names = await findDemoUsers(ports.application, ports.database);
    const problems = names.map(
      (name) =>
        `user ${name}: has the password of the demo data; set another one ("lintel user passwd ${name}"), or disable the user`,
    );
    if (problems.length > 0 && !isAllowed)
      throw new ConfigurationError(
        problems.map(
          (problem) =>
            `${problem}. It is refused where others than this machine can reach the service, with NODE_ENV=production, and in the profile hardened; svc.security.allow-insecure=${INSECURITY} allows it`,
        ),
      );
    for (const problem of problems)
      ports.logger.warn(
        { event: 'security.setting.insecure', insecurity: INSECURITY, problem },
        'a demo user is accepted',
      );
  },
});
