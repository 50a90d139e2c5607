/** A gateway in a process of its own, so that its memory can be measured: `fork(…, [JSON.stringify(properties)])`. */
import { startGateway } from './gateway-fixture.ts';

const gateway = await startGateway(JSON.parse(process.argv[2] ?? '{}') as Record<string, string>);
process.send?.({ url: gateway.url });
// The channel ends with the test.
process.once('disconnect', () => process.exit(0));
