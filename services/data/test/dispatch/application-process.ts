/** One of the two applications as a process with its outbox, which is killed. Sends its address. */
import { startWithRelay } from '../event-handlers/start-with-relay.ts';
import { APPLICATIONS, type ApplicationName, USERS } from './two-applications.ts';

const [name = '', url = '', brokerUrl = ''] = process.argv.slice(2);
const settings = { 'svc.events.broker-urls': brokerUrl };
const database = { url, query: async () => [] };
const data = await startWithRelay(database, APPLICATIONS[name as ApplicationName], USERS, settings);
process.send?.(data.url);
