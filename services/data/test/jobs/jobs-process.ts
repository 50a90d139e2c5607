/** The data service with the application of these tests in its own process, which is killed. Sends `ready`. */
import { startDataOn } from '../data-fixture.ts';
import { jobsApplication } from './jobs-application.ts';

const [url = ''] = process.argv.slice(2);
const data = await startDataOn({ url, query: async () => [] }, jobsApplication, {});
await data.service.start();
process.send?.('ready');
