import type { FeatureFactory } from '../feature.ts';
import { registerDeadLettersRoutes } from './dead-letters.routes.ts';
import { registerIdentityProvidersRoutes } from './identity-providers.routes.ts';
import { registerLinksRoute } from './links.routes.ts';
import { registerMailboxRoute } from './mailbox.routes.ts';
import { registerProcessesRoutes } from './processes.routes.ts';
import { registerSchemaRoutes } from './schema.routes.ts';
import { registerSecurityEventsRoute } from './security-events.routes.ts';
import { registerTasksRoute } from './tasks.routes.ts';

/** What operators see of the running system and do with it (ADR 24). */
export const operationsFeature: FeatureFactory = (engine) => ({
  register({ rest }) {
    registerProcessesRoutes(rest, engine);
    registerIdentityProvidersRoutes(rest, engine);
    registerSecurityEventsRoute(rest, engine);
    registerLinksRoute(rest, engine);
    registerDeadLettersRoutes(rest, engine);
    registerSchemaRoutes(rest, engine);
    registerMailboxRoute(rest, engine);
    registerTasksRoute(rest, engine);
  },
});
