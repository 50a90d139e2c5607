import type { Logger } from '@lintel/telemetry';
import { Cluster, type Redis } from 'ioredis';

/** Logs once when Redis, or a node of a cluster, is lost and once when it is back; the driver reports every attempt. */
export function logOutages(client: Redis | Cluster, logger: Logger): void {
  let isReported = false;
  client.on('error', (err: unknown) => {
    if (!isReported) logger.warn({ err, property: 'svc.redis' }, 'Redis cannot be reached');
    isReported = true;
  });
  client.on('ready', () => {
    logger.info({}, 'Connected to Redis');
    isReported = false;
  });
  if (client instanceof Cluster) logNodes(client, logger);
}

function logNodes(cluster: Cluster, logger: Logger): void {
  const lost = new Set<string>();
  cluster.on('node error', (err: unknown, node: string) => {
    if (!lost.has(node)) logger.warn({ err, node }, 'A node of Redis cannot be reached');
    lost.add(node);
  });
  cluster.on('+node', (connection: Redis) => {
    connection.once('ready', () => {
      const { host, port } = connection.options;
      const node = `${host}:${port}`;
      if (lost.delete(node)) logger.info({ node }, 'A node of Redis is back');
    });
  });
}
