import { normalKey } from '../key-names.ts';

/** Constants that were properties: a prefix with names below it; `*` is any name of a map. */
const CONSTANTS = `
  svc.cors max-age
  svc.auth datasource-statement-timeout second-factor.issuer-name security-events.max-per-type
  svc.auth.directory.* check-interval group-attribute timeout
  svc.auth.provider.* check-interval
  svc.authserver authorization-code-time-to-live max-sessions-per-user max-tokens-per-client
  svc.changes heartbeat max-connections-per-user
  svc.data report-datasource-pool-size report-statement-timeout
  svc.data.share large-bodies max-wait max-waiting max-waiting-per-user
  svc.datasource slow-query-plan-interval temp-file-limit
  svc.gateway max-concurrent.address
  svc.gateway auth-timeout body-timeout compression.codings compression.min-size connect-timeout header-timeout
  svc.gateway health-interval health-timeout lookup-interval max-header-size max-incomplete-bodies max-url-length
  svc.gateway max-waiting min-body-rate min-response-rate queue-timeout response-timeout stream-check-interval
  svc.files min-transfer-rate resumable-upload-expiry
  svc.files.storage.* parts-in-memory
  svc.reports background-run-timeout limits.cross-table-cells limits.document-elements limits.pictures-size
  svc.reports auth-timeout background-run-retention data-timeout files-timeout html-formatter-timeout
  svc.reports limits.json-path-time limits.template-tags limits.templates-size limits.unread-size
  svc.reports max-background-runs-per-user max-body-size max-picture-size max-run-wait max-waiting-runs
  svc.reports max-waiting-runs-per-user office-memory versions-kept
  svc.reports outside-max-size outside-timeout remote-max-size remote-timeout
  svc.reports template-max-output-size template-max-render-time
  svc.resource-server clock-tolerance
  svc.rest idempotency-prune-interval server-timing-enabled write-attempts write-retry-delay
  svc.rest.limits collection-bytes conditions plan-nodes response-nodes
  svc.rest.limits condition-hops path-hops plan-depth statement-parameters statement-size to-many-steps
  svc.rest.limits.role.* plan-nodes response-nodes
  svc.rest.limits.role.* condition-hops conditions path-hops plan-depth statement-parameters statement-size to-many-steps
  svc.scim max-results
  svc.security.bruteforceprotection failure-interval
  svc.security.bruteforceprotection max-failures-per-address max-failures-per-client max-failures-per-user
  svc.webhooks timeout
  svc.webhooks concurrency concurrency-per-webhook log-retention max-retry-delay secret-overlap
`;

const renamed = (names: readonly string[], member: string, now: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`svc.${name}.${member}`, now]));

const METADATA = 'metadata-file with the metadata of the provider';
const USER_FILTER = 'user-filter, which may have further conditions';
const ONE_TIMEOUT = 'svc.gateway.upstream-timeout, which is the same for all services but auth';

/** Properties that have another name now. */
const RENAMED: Readonly<Record<string, string>> = {
  ...renamed(['auth', 'data', 'files', 'reports'], 'host', 'svc.services.host'),
  ...renamed(['auth', 'data', 'files'], 'internal-host', 'svc.internal.host'),
  ...renamed(['auth', 'data', 'files', 'gateway', 'reports'], 'management-host', 'svc.management.host'),
  ...renamed(['auth.provider.*'], 'issuer-certificate-file', METADATA),
  ...renamed(['auth.provider.*'], 'logout-url', METADATA),
  ...renamed(['auth.provider.*'], 'sign-on-url', METADATA),
  'svc.auth.directory.*.domains': USER_FILTER,
  'svc.auth.directory.*.required-claims': USER_FILTER,
  'svc.files.storage.*.part-size': 'max-file-size, from which the size of the parts follows',
  'svc.reports.chromium-pages': 'svc.reports.max-conversions',
  'svc.reports.office-workers': 'svc.reports.max-conversions',
  'svc.rest.cursor-secret': 'svc.internal.secret, from which the key of the cursors is derived',
  'svc.gateway.data-timeout': ONE_TIMEOUT,
  'svc.gateway.files-timeout': ONE_TIMEOUT,
  'svc.gateway.max-streams': 'svc.changes.max-connections',
  'svc.gateway.reports-timeout': ONE_TIMEOUT,
  'svc.reports.outside-allowed-hosts': 'svc.reports.remote-allowed-hosts',
  'svc.datasource.max-result-size': 'svc.datasource.max-result-memory, half of which is the limit',
  'svc.datasource.max-row-size': 'svc.datasource.max-result-memory, half of which is the limit',
  'svc.telemetry.service-name': 'the variable OTEL_SERVICE_NAME',
  'svc.files.storage.*.timeout-seconds': 'timeout, with a unit: svc.files.storage.fs.timeout=30s',
};

const constants = CONSTANTS.trim()
  .split('\n')
  .flatMap((line) => {
    const [prefix, ...names] = line.trim().split(' ');
    return names.map((name): [string, string] => [`${prefix}.${name}`, 'it is a constant now; remove it']);
  });

const ADVICE = [
  ...constants,
  ...Object.entries(RENAMED).map(([name, now]): [string, string] => [name, `use ${now}`]),
].map(([name, advice]) => ({ pattern: new RegExp(`^${name.split('*').map(normalKey).join('.+')}(?:file)?$`), advice }));

/** Returns what to do about a removed or renamed property, an item of its list or its `-file`; undefined for another key. */
export function adviceOfFormer(key: string): string | undefined {
  const name = normalKey(key.replace(/\[\d+\]$|_\d+_?$/, ''));
  return ADVICE.find(({ pattern }) => pattern.test(name))?.advice;
}
