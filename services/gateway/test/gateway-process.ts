/** A gateway in a process of its own, for what is measured of a process: `fork(…, [JSON.stringify(properties)])`. */
import { startGateway } from './gateway-fixture.ts';

const gateway = await startGateway(JSON.parse(process.argv[2] ?? '{}') as Record<string, string>);
process.send?.({ url: gateway.url });
// The channel ends with the test.
process.once('disconnect', () => process.exit(0));
