import { createServer } from 'node:net';
import { ConfigurationError } from '@lintel/config';

const REASONS = { EADDRINUSE: 'another program listens there', EACCES: 'it may not be opened' };

/**
 * Checks before the start that the services can listen. Otherwise the program that has a port would respond to the
 * question whether the service is ready.
 *
 * @param {readonly { property: string, host: string, port: number }[]} listeners
 * @throws {ConfigurationError} with all ports that cannot be opened, by their properties
 */
export async function assertPortsFree(listeners) {
  const problems = await Promise.all(listeners.map(problemOf));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new ConfigurationError(found);
}

async function problemOf({ property, host, port }) {
  const server = createServer();
  const error = await new Promise((resolve) => {
    server.once('error', resolve).listen({ host, port, exclusive: true }, () => resolve(undefined));
  });
  if (error === undefined) await new Promise((resolve) => server.close(resolve));
  const reason = REASONS[error?.code];
  return reason && `${property}: port ${port} at ${host} is not available: ${reason}`;
}
