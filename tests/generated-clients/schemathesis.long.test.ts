import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';
import { type GenerationSystem, startSystem } from './start-system.ts';

// Needs Python 3 with venv, Java 17 with Maven, and Linux on x64.

const SCHEMATHESIS = 'schemathesis==4.32.5';
/**
 * 503 is the response of a machine that is busy with other things. No text of the database has NUL. A stream of changes does
 * not end by itself, and documents of this size take Python minutes to read; cut, they are no YAML.
 */
const CONFIGURATION = `hooks = "${fileURLToPath(new URL('programs/schemathesis_hooks.py', import.meta.url))}"
request-timeout = 60
[output.truncation]
max-recorded-payload-size = 4194304
[generation]
allow-x00 = false
[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]
[[operations]]
include-path-regex = "/changes/"
request-timeout = 1
[[operations]]
include-path-regex = "/docs/"
phases.fuzzing.enabled = false
`;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/**
 * Requests that would end the token of the run; uploads have a media type that Schemathesis cannot write; tests of webhooks
 * and providers send requests to others; a method of the example always fails.
 */
const EXCLUDED = 'oauth|user-session|uploads|/test$|sales_OrderService/fail$';
/** With the problem form every error has a body; without it, some have none, which OpenAPI cannot express beside it. */
const ACCEPTED = { generic: '*/*', detailed: 'application/problem+json, */*' } as const;
/** Without the problem form, their 404 has a body in some cases, which OpenAPI cannot express. */
const WITH_AND_WITHOUT_BODY = { generic: ['getEntity', 'downloadFile'], detailed: [] } as const;
/**
 * Operations that may refuse all requests that the detailed document describes, by what no schema describes. A new one belongs
 * here for such a reason alone; else its schema is to say what it accepts. Where the machine is busy, the time suffices for
 * the first requests of each operation alone, which have all parameters; and a PUT creates what it does not find.
 */
const INDESCRIBABLE: Readonly<Record<string, RegExp>> = {
  'ids that exist': /\/\{entityId\}(\/restore)?$|^PUT \/rest\/entities\/sales_Party$/,
  'references that exist':
    /^(POST|PUT) \/rest\/entities\/(dynat_CategoryAttribute|report_ReportTemplate|sales_(LineDiscount|Order|OrderLine|StockMovement))$/,
  'names that exist':
    /^(POST|PUT) \/rest\/(entities\/(dynat_Category|sec_(ResourcePolicy|RoleAssignment|RowLevelPolicy))|reports\/definition\/draft(\/run)?)$/,
  'types, storages and cursors that exist': /^GET \/rest\/operations\/(security-events|unreferenced-files)$/,
  'values that are unique': /^POST \/rest\/(clients|entities\/sales_(CustomerCategory|Product|ProductTag|Warehouse))$/,
  'keys that references may complete': /^POST \/rest\/entities\/sales_ExchangeRate$/,
  'rules of reports':
    /^(POST|PUT) \/rest\/(entities\/report_Report|reports\/(report\/\{reportId\}\/(copy|data)|run\/.*))$/,
  'settings and rights':
    /^(GET \/rest\/rights\/(explanation|needed)|(POST|PUT) \/rest\/entities\/(sec_User|sys_Webhook|sys_WebhookDelivery))$/,
  'rules of the example': /\/rest\/services\/sales_/,
  'the entity of the path': /\/rest\/entities\/\{entityName\}/,
};
const TIMEOUT_MS = 1_200_000;

/** A client, whose token no change of a user ends, and which sends more requests than one user may. */
const CLIENT = {
  SVC_GATEWAY_RATE_LIMIT_USER: '9999999/1m',
  SVC_GATEWAY_RATE_LIMIT_CLIENT: '9999999/1m',
  SVC_GATEWAY_RATE_LIMIT_ADDRESS: '9999999/1m',
  SVC_AUTHSERVER_CLIENT_GENERATOR_CLIENT_ID: 'generator',
  SVC_AUTHSERVER_CLIENT_GENERATOR_CLIENT_SECRET: 'secret',
  SVC_AUTHSERVER_CLIENT_GENERATOR_GRANT_TYPES: 'client_credentials',
  SVC_AUTHSERVER_CLIENT_GENERATOR_RESOURCE_ROLES: 'system-full-access',
};

/** Numbers of requests that the document describes, by operation and phase. */
type Rates = Readonly<
  Record<string, Readonly<Record<string, { readonly accepted: number; readonly rejected: number }>>>
>;

interface Report {
  readonly operations: { readonly selected: number; readonly tested: number };
  readonly failures: readonly unknown[];
  readonly valid_rates: Rates;
}

/** The operations that accepted nothing, and refused a request for its form or values. */
const refusedIn = (rates: Rates): readonly string[] =>
  Object.entries(rates).flatMap(([operation, phases]) => {
    const all = Object.values(phases);
    return all.every(({ accepted }) => accepted === 0) && all.some(({ rejected }) => rejected > 0) ? [operation] : [];
  });

const isIndescribable = (operation: string): boolean =>
  Object.values(INDESCRIBABLE).some((operations) => operations.test(operation));

let system: GenerationSystem;
beforeEach(async () => {
  system = await startSystem(CLIENT);
  await writeFile(join(system.folder, 'schemathesis.toml'), CONFIGURATION);
  await run(system.folder, 'python3', '-m', 'venv', 'venv');
  await run(system.folder, 'venv/bin/pip', 'install', '-q', SCHEMATHESIS);
}, TIMEOUT_MS);
afterEach(() => system?.stop(), 60_000);

async function token(): Promise<string> {
  const response = await fetch(`${system.url}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from('generator:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

test.each(['generic', 'detailed'] as const)(
  'responses to requests that are generated from the %s document are as the document says',
  async (document) => {
    const source = system.documentOf(document);
    const report = join(system.folder, `${document}.json`);
    const output = await run(
      system.folder,
      ...['venv/bin/schemathesis', 'run', source, '--url', system.url, '--phases', 'coverage,fuzzing'],
      ...[
        '--checks',
        CHECKS.join(','),
        '--exclude-path-regex',
        EXCLUDED,
        ...WITH_AND_WITHOUT_BODY[document].flatMap((id) => ['--exclude-operation-id', id]),
        '--generation-deterministic',
      ],
      ...['--max-examples', '5', '--max-time', '400', '--continue-on-failure', '--report-json-path', report],
      ...['-H', `Authorization: Bearer ${await token()}`, '-H', `Accept: ${ACCEPTED[document]}`],
    );
    const { operations, failures, valid_rates: rates }: Report = JSON.parse(await readFile(report, 'utf8'));
    expect([failures, operations.tested]).toEqual([[], operations.selected]);
    if (document === 'detailed')
      expect(refusedIn(rates).filter((operation) => !isIndescribable(operation))).toEqual([]);
    // Otherwise nothing was tested.
    expect(output).not.toMatch(/401 Unauthorized|Rate limited/);
  },
  TIMEOUT_MS,
);
