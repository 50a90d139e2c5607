import { environment, setEnvironmentDefault } from '@lintel/config/environment';
import { importOptional } from '@lintel/errors';
import { TRACING } from '../optional-packages.ts';

const variables = environment();
const endpoint = variables['SVC_TELEMETRY_ENDPOINT'];
if (endpoint !== undefined && endpoint !== '') setEnvironmentDefault('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
// The default would trust the sampled flag of any `traceparent`: foreign clients would decide what is recorded.
setEnvironmentDefault('OTEL_TRACES_SAMPLER', 'always_on');
if ((variables['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '') !== '') {
  const { startSdk } = await importOptional(TRACING, () => import('./start-sdk.ts'));
  startSdk({ serviceName: variables['OTEL_SERVICE_NAME'] ?? 'lintel' });
}
