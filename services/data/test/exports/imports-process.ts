/** The data service that imports a stored file in its own process, which is killed. Sends `ready`. */
import { startDataOn } from '../data-fixture.ts';
import { partsApplication, storedParts, users } from './stored-parts.ts';

const [url = ''] = process.argv.slice(2);
const database = { url, query: async () => [] };
const data = await startDataOn(database, partsApplication, users, {}, undefined, { storedFiles: storedParts });
await data.service.start();
process.send?.('ready');
