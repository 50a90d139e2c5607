import { startGateway } from './gateway-fixture.ts';

const gateway = await startGateway(JSON.parse(process.argv[2] ?? '{}'));
process.send?.({ url: gateway.url });
process.on('message', () => process.send?.({ rss: process.memoryUsage.rss(), mem: process.memoryUsage() }));
