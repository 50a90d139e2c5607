import type { WriteDependencies } from '@lintel/entities';
import type { DataConfig } from '../config.ts';
import type { DataPorts } from '../ports.ts';
import { createFileTickets } from '../tickets/file-tickets.ts';

/** The parts of the engine that calls use. */
interface CallEngine {
  readonly ports: DataPorts;
  readonly config: DataConfig;
  readonly write: WriteDependencies;
  readonly defaultLocale: string;
}

/** The dependencies of calls of methods, with and without a client that waits. */
export const methodOptions = ({ ports, config, write, defaultLocale }: CallEngine) => ({
  application: ports.application,
  write,
  defaultLocale,
  sessionAttributes: ports.application.sessionAttributes,
  changeSessionAttributes: ports.sessionLocales.changeAttributes,
  fileTickets: createFileTickets(ports.tickets, `${config.paths.basePath}${config.paths.filesPath}`),
  clock: ports.clock,
});
