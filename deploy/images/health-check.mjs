import { askHealth } from './ask-health.mjs';

/**
 * HEALTHCHECK of the images, which have no shell and no curl: ends with 0 when the service of this image
 * responds to `/health/ready` with 200.
 */
const DEFAULT_PORTS = { gateway: 8080, auth: 8081, data: 8082, files: 8083, reports: 8084 };
const TIMEOUT_MS = 4_000;

const service = process.env.LINTEL_SERVICE ?? '';
const port = process.env[`SVC_${service.toUpperCase()}_PORT`] || DEFAULT_PORTS[service];
const isSecure = service === 'gateway' && process.env.SVC_GATEWAY_TLS_CERTIFICATE_FILE;
try {
  const { status, text } = await askHealth(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, TIMEOUT_MS);
  // Docker keeps the output: the checks that are down.
  process.stdout.write(text);
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  process.stdout.write(`${service} does not respond on port ${port}: ${error.code ?? error.message}`);
  process.exitCode = 1;
}
