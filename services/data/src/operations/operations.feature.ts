import type { FeatureFactory } from '../feature.ts';
import { createSchemaState } from './create-schema-state.ts';
import { registerDeadLettersRoutes } from './dead-letters.routes.ts';
import { registerIdentityProvidersRoutes } from './identity-providers.routes.ts';
import { registerLinksRoute } from './links.routes.ts';
import { registerProcessesRoutes } from './processes.routes.ts';
import { receiveOperator } from './receive-operator.ts';
import { registerSchemaRoutes } from './schema.routes.ts';
import { registerSecurityEventsRoute } from './security-events.routes.ts';

/** What operators see of the running system and do with it (ADR 24). */
export const operationsFeature: FeatureFactory = ({ ports, config, accessOf }) => ({
  register({ rest }) {
    const { processes, events, database, logger, application } = ports;
    const path = config.paths.operationsPath;
    const guard = receiveOperator(accessOf);
    registerProcessesRoutes(rest, { path, guard, processes, events, database });
    registerIdentityProvidersRoutes(rest, { path, guard, auth: ports.authAdministration });
    registerSecurityEventsRoute(rest, { path, guard, auth: ports.authAdministration });
    registerLinksRoute(rest, { path, guard, links: config.links });
    registerDeadLettersRoutes(rest, { path, guard, events, logger });
    registerSchemaRoutes(rest, { path, guard, schemaState: createSchemaState(application, config) });
  },
});
