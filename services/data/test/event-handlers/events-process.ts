/** The application of these tests in one process with its outbox, which is killed. Sends its address. */
import { eventsApplication } from './events-application.ts';
import { startWithRelay } from './start-with-relay.ts';

const [url = ''] = process.argv.slice(2);
const users = { admin: { resourceRoles: ['system-full-access'] } };
const settings = { 'svc.webhooks.enabled': 'true' };
const data = await startWithRelay({ url, query: async () => [] }, eventsApplication, users, settings);
process.send?.(data.url);
