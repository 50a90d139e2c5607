import type { FeatureFactory } from '../feature.ts';
import { registerTicketRoutes } from './tickets.routes.ts';

/** One-time tickets for downloads and feeds. */
export const ticketsFeature: FeatureFactory<'ports' | 'config' | 'tickets' | 'signer' | 'federation'> = ({
  ports,
  config,
  tickets,
  signer,
  federation,
}) => ({
  register: ({ internal }) =>
    registerTicketRoutes(internal, {
      tickets,
      ticketLifeMs: config.ticketLifeMs,
      signer,
      sessions: ports.sessions,
      isAlive: federation.isAlive,
    }),
});
