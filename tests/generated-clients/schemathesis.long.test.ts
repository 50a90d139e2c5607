import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';
import { type GenerationSystem, startSystem } from './start-system.ts';

// Needs Python 3 with venv, Java 17 with Maven, and Linux on x64.

const SCHEMATHESIS = 'schemathesis==4.32.5';
/** 503 is the response of a machine that is busy with other things. */
const CONFIGURATION = '[checks]\nnot_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]\n';
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
/** Its 404 has a body for an unknown entity alone, which OpenAPI cannot express. */
const OF_ANY_ENTITY = 'getEntity';
const TIMEOUT_MS = 1_200_000;

let system: GenerationSystem;
beforeAll(async () => {
  system = await startSystem();
  await writeFile(join(system.folder, 'schemathesis.toml'), CONFIGURATION);
  await run(system.folder, 'python3', '-m', 'venv', 'venv');
  await run(system.folder, 'venv/bin/pip', 'install', '-q', SCHEMATHESIS);
}, TIMEOUT_MS);
afterAll(() => system?.stop(), 60_000);

async function tokenOf(username: string): Promise<string> {
  const response = await fetch(`${system.url}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username, password: username }),
  });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

test.each(['generic', 'detailed'] as const)(
  'responses to requests that are generated from the %s document are as the document says',
  async (document) => {
    const source = system.documentOf(document);
    const report = join(system.folder, `${document}.xml`);
    await run(
      system.folder,
      ...['venv/bin/schemathesis', 'run', source, '--url', system.url, '--phases', 'coverage,fuzzing'],
      ...[
        '--checks',
        CHECKS.join(','),
        '--exclude-path-regex',
        EXCLUDED,
        '--exclude-operation-id',
        OF_ANY_ENTITY,
        '--generation-deterministic',
      ],
      ...[
        '--max-examples',
        '5',
        '--max-time',
        '400',
        '--request-timeout',
        '60',
        '--continue-on-failure',
        '--report-junit-path',
        report,
      ],
      ...['-H', `Authorization: Bearer ${await tokenOf('admin')}`, '-H', `Accept: ${ACCEPTED[document]}`],
    );
    expect(await readFile(report, 'utf8')).toContain('failures="0"');
  },
  TIMEOUT_MS,
);
