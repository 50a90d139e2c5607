import type { TestDatabase } from '@lintel/testkit';
import { createScimClient, USER } from '../../test/scim-client.ts';
import { entraIdValidator } from '../../test/scim-validators/entra-id-validator.ts';
import { oktaValidator } from '../../test/scim-validators/okta-validator.ts';
import { patch, type Validator } from '../../test/scim-validators/validator-step.ts';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';

const TOKEN = 'a token of the identity provider'.replaceAll(' ', '-');

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, { properties: { 'svc.scim.token': TOKEN } });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { send } = createScimClient(() => auth.url, TOKEN);

/** Replaces `{name}` in a value by what was kept. */
const filled = <T>(value: T, kept: ReadonlyMap<string, string>): T =>
  value === undefined
    ? value
    : JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => kept.get(name) ?? whole));

/** Runs the steps of one validator; each is a test. */
function describeSteps(name: string, { headers, steps }: Validator) {
  const kept = new Map<string, string>();
  describe(name, () => {
    // Asserts contract/tokens.md#scim.
    test.each(Object.entries(steps))('%s', async (_title, step) => {
      const { method, path, body, status, shows, lacks, keep } = filled(step, kept);
      const response: TestResponse = await send(method, encodeURI(path), body, { ...headers, ...step.headers });
      expect([response.status, response.json?.detail]).toEqual([status, status < 400 ? undefined : expect.any(String)]);
      if (response.json !== undefined) expect(response.headers.get('content-type')).toBe('application/scim+json');
      if (shows !== undefined) expect(response.json).toMatchObject(shows);
      if (lacks !== undefined) expect(JSON.stringify(response.json)).not.toContain(`"${lacks}"`);
      if (keep !== undefined) kept.set(keep, response.json.id);
    });
  });
}

describeSteps('the validator of Entra ID', entraIdValidator);
describeSteps('the specification test of Okta', oktaValidator);

interface SchemaAttribute {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly mutability: string;
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly SchemaAttribute[];
}

/** A value that the schema permits, as the validator makes it. */
function sampleOf(attribute: SchemaAttribute): unknown {
  const { name, type, multiValued, canonicalValues, subAttributes } = attribute;
  const single =
    type === 'complex'
      ? Object.fromEntries(writable(subAttributes ?? []).map((each) => [each.name, sampleOf(each)]))
      : type === 'boolean'
        ? true
        : (canonicalValues?.[0] ?? `of-${name}`);
  return multiValued ? [single] : single;
}

const writable = (attributes: readonly SchemaAttribute[]) =>
  attributes.filter(({ mutability }) => mutability === 'readWrite');

// Asserts contract/tokens.md#scim.
test('a user with a value of each attribute that the schema declares has these values', async () => {
  const { json: schema } = await send('GET', `/Schemas/${USER}`);
  const attributes: readonly SchemaAttribute[] = schema.attributes;
  const body = Object.fromEntries(writable(attributes).map((each) => [each.name, sampleOf(each)]));
  expect(Object.keys(body)).toEqual(expect.arrayContaining(['userName', 'name', 'emails', 'active']));
  const { status, json } = await send('POST', '/Users', { schemas: [USER], ...body });
  expect([status, json]).toEqual([201, expect.objectContaining({ id: expect.any(String) })]);
  expect(json).toMatchObject(body);
  expect((await send('GET', `/Users/${json.id}`)).json).toMatchObject(body);
  const patched = await send('PATCH', `/Users/${json.id}`, patch({ op: 'replace', value: body }));
  expect(patched.json).toMatchObject(body);
});
