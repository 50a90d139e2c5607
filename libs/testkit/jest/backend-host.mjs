/** The process that holds the servers of a test run; see `hostBackends`. Parameters: the servers wanted. */
import { hostBackends } from '@lintel/testkit/backends';

await hostBackends(process.argv.slice(2));
