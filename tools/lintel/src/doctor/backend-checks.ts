import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { probeRedis, type RedisAddress } from '@lintel/cache';
import { probeBroker } from '@lintel/events';
import { openFileStorages } from '@lintel/files';
import { messageOf, rootCauseOf } from '../message-of.ts';
import { type Check, type Finding, failed, isAtLeast, ok, TIMEOUT_MS, warning } from './check.ts';

const OLDEST_REDIS = '7.0';
const OLDEST_BROKER = '3.10';

export const redisCheck = (address: RedisAddress, keyPrefix: string): Check => ({
  id: 'redis',
  title: 'Redis',
  run: () =>
    attempt(`Check ${variablesOf(address)}, and whether Redis runs and lets this machine in`, async () => {
      const { version, evictionPolicy, alone, lostSentinels } = await probeRedis({
        address,
        keyPrefix,
        timeoutMs: TIMEOUT_MS,
      });
      if (!isAtLeast(version, OLDEST_REDIS)) return failed(`version ${version}`, `Use Redis ${OLDEST_REDIS} or newer`);
      if (evictionPolicy !== undefined && evictionPolicy !== 'noeviction')
        return warning(
          `${version}, evicts keys (${evictionPolicy})`,
          'Sessions would be lost: CONFIG SET maxmemory-policy noeviction',
        );
      if (lostSentinels.length > 0)
        return warning(
          `${version}, keys can be written; no response from ${lostSentinels.join(', ')}`,
          'Check these sentinels, their password, and the name in SVC_REDIS_SENTINEL_MASTER',
        );
      if (alone.length > 0)
        return warning(
          `${version}, keys can be written; ${alone.join(', ')} without a replica`,
          'Add a replica: no other server can take over',
        );
      return ok(`${version}, keys can be written`);
    }),
});

const variablesOf = (address: RedisAddress): string => {
  if ('url' in address) return 'SVC_REDIS_URL';
  return 'cluster' in address ? 'SVC_REDIS_CLUSTER_NODES' : 'SVC_REDIS_SENTINEL_MASTER and SVC_REDIS_SENTINEL_NODES';
};

/** Each node by itself: a client needs only one, but one that cannot be reached is none when it is needed. */
export const brokerCheck = (url: string, index: number): Check => ({
  id: `broker.${index}`,
  title: `RabbitMQ ${hostOf(url)}`,
  run: () =>
    attempt(
      'Check SVC_BROKER_URLS, and whether the user may configure, write and read everything in the virtual host',
      async () => {
        const { product, version } = await probeBroker({ url, timeoutMs: TIMEOUT_MS });
        if (product === 'RabbitMQ' && !isAtLeast(version, OLDEST_BROKER))
          return failed(`version ${version}`, `Use RabbitMQ ${OLDEST_BROKER} or newer`);
        return ok(`${version}, exchanges and queues can be declared`);
      },
    ),
});

/** A file goes in, comes out and goes away again. A bucket that is missing is made, as the service would. */
export const storageCheck = (config: Parameters<typeof openFileStorages>[0], standardFolder: string): Check => ({
  id: 'files',
  title: 'File storages',
  run: () =>
    attempt('Check SVC_FILES_STORAGE_…: address, keys, and the right to write to the bucket or folder', async () => {
      const storages = await openFileStorages(config, { warn: () => {} }, standardFolder);
      try {
        for (const { name, store } of storages.all) {
          const key = `doctor/${randomUUID()}/of/lintel`;
          await within(`The storage ${name}`, async () => {
            await store.write(key, Readable.from([Buffer.from('lintel')]), {
              name: 'lintel',
              contentType: 'text/plain',
              storedBy: 'doctor',
            });
            await store.remove(key);
          });
        }
        return ok(`${storages.all.map(({ name }) => name).join(', ')}: files can be written and removed`);
      } finally {
        await storages.close();
      }
    }),
});

async function within(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${what}: ${messageOf(rootCauseOf(error))}`);
  }
}

async function attempt(remedy: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return failed(messageOf(error), remedy);
  }
}

/** Without user and password. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return 'of an address that is none';
  }
}
