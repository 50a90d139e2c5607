import { REPORTS_PATH } from '@lintel/contracts';
import type { FeatureFactory } from '../feature.ts';
import { registerTicketRoutes } from './tickets.routes.ts';

/** One-time tickets for downloads and feeds of changes. */
export const ticketsFeature: FeatureFactory = ({ ports, config, read }) => ({
  register({ rest }) {
    const { basePath, filesPath, changesPath, ticketsPath } = config.paths;
    registerTicketRoutes(rest, {
      path: ticketsPath,
      targets: [`${basePath}${filesPath}`, REPORTS_PATH, `${basePath}${changesPath}`],
      tickets: ports.tickets,
      unknownMembers: config.unknownMembers,
      limitsOf: read.limitsOf,
    });
  },
});
