/**
 * `node --import start-empty-backends.mjs`: starts a database, a Redis and a broker in the same process, which accept
 * everything and contain nothing, and sets the addresses for the service. An image is made where there are no backends;
 * with these a start calls the functions that it calls with real ones.
 */
import { createEmptyBroker } from './empty-broker.mjs';
import { createEmptyPostgres } from './empty-postgres.mjs';
import { createEmptyRedis } from './empty-redis.mjs';

async function addressOf(server) {
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  server.unref();
  return `127.0.0.1:${server.address().port}`;
}

process.env.SVC_DATASOURCE_URL = `postgres://compile:ahead@${await addressOf(createEmptyPostgres())}/lintel`;
process.env.SVC_BROKER_URLS = `amqp://${await addressOf(createEmptyBroker())}`;
process.env.SVC_REDIS_URL = `redis://${await addressOf(createEmptyRedis())}`;
