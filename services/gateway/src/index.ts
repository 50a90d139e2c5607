export { bundleFolder as consoleFolder } from '@lintel/console';
export { createGateway, type Gateway, type GatewayPorts } from './app.ts';
export { type GatewayConfig, settings } from './config.ts';
export { createHttpTokenExchange } from './identity/http-token-exchange.ts';
export { serverOptionsOf } from './server-options.ts';
export { openCertificate } from './tls/open-certificate.ts';
export { systemLookup } from './upstreams/system-lookup.ts';
