import { type Response, send, tokenOf, tokenRequest } from '../api.ts';
import { createHiddenData, type HiddenData } from './hidden-data.ts';
import type { MatrixRow } from './matrix/row.ts';
import { MATRIX } from './matrix-rows.ts';
import { gatewayPrefixes, registeredRoutes } from './registered-routes.ts';

const CALLERS = ['', 'nobody', 'viewer', 'clerk', 'admin'] as const;

let data: HiddenData;
beforeAll(async () => {
  data = await createHiddenData();
});

/** A request as it was sent, with its response. */
interface Asked {
  readonly sent: string;
  readonly response: Response;
}

async function ask(row: MatrixRow, caller: string): Promise<Asked> {
  const [target, body] = await Promise.all([row.target(data), row.body?.(data)]);
  const token = caller === '' ? undefined : await (row.endsSession === true ? login(caller) : tokenOf(caller));
  const headers = { ...row.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const response = await send(row.method, target, { headers, ...(body === undefined ? {} : { body }) });
  return { sent: `${target} ${JSON.stringify(body) ?? ''}`, response: response };
}

async function login(username: string): Promise<string> {
  const response = await tokenRequest('/oauth/token', { grant_type: 'password', username, password: username });
  return String(response.json().access_token);
}

/** Values that the caller may not see, but for those that the request itself names. */
function forbiddenFor(caller: string, sent: string): readonly string[] {
  const values = caller === 'clerk' ? data.hiddenValues : [...data.hiddenValues, ...data.shownValues];
  return values.filter((value) => !sent.includes(value));
}

const wholeOf = ({ text, headers }: Response): string => `${JSON.stringify([...headers])}\n${text}`;

describe.each(MATRIX)('$method $route', (row) => {
  // Asserts contract/conventions.md#nothing-leaks, contract/decisions.md#23, contract/decisions.md#38,
  // contract/decisions.md#39, contract/roles.md#attributes, contract/roles.md#attributes-read,
  // contract/roles.md#rest-enabled, contract/roles.md#roles, contract/row-policies.md#row-policies,
  // contract/tokens.md#authentication, contract/tokens.md#token-location, contract/tokens.md#unauthorized,
  // contract/tokens.md#url-patterns.
  test.each(
    CALLERS.map((caller, index) => [caller === '' ? 'no token' : caller, caller, row.statuses[index]] as const),
  )('has its status for %s', async (_name, caller, status) => {
    const { sent, response } = await ask(row, caller);
    expect([sent, response.status, response.status === status ? '' : response.text]).toEqual([sent, status, '']);
    const whole = wholeOf(response);
    if (caller === 'admin') {
      if (row.showsHiddenValues === true) expect(data.hiddenValues.some((value) => whole.includes(value))).toBe(true);
    } else expect(forbiddenFor(caller, sent).filter((value) => whole.includes(value))).toEqual([]);
    // Nobody sees what is secret.
    expect(whole).not.toMatch(/Margin class|\$argon2/);
    if (caller !== 'admin' && row.describesModel !== true) expect(whole.includes('"creditLimit":')).toBe(false);
  });
});

// Asserts contract/roles.md#rest-enabled.
test('the matrix has every route that a service registers', () => {
  const asked = new Set(MATRIX.map(({ route }) => route));
  const registered = new Set(registeredRoutes());
  expect([...registered].filter((route) => !asked.has(route))).toEqual([]);
  expect([...asked].filter((route) => !route.startsWith('(') && !registered.has(route))).toEqual([]);
});

test('the matrix has every prefix of the route table of the gateway', async () => {
  const targets = await Promise.all(MATRIX.map((row) => row.target(data)));
  expect(gatewayPrefixes().filter((prefix) => !targets.some((target) => target.startsWith(prefix)))).toEqual([]);
});

// Asserts contract/api-documents.md#generic.
test('the matrix has every operation of the OpenAPI document', async () => {
  const asked = await Promise.all(
    MATRIX.map(async (row) => `${row.method} ${String(await row.target(data)).replace(/\?.*$/, '')}`),
  );
  const document = (await send('GET', '/rest/docs/openapi.json')).json() as {
    readonly paths: Readonly<Record<string, object>>;
  };
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const isAsked = (operation: string): boolean => {
    const pattern = new RegExp(`^${operation.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    return asked.some((request) => pattern.test(request));
  };
  expect(operations.length).toBeGreaterThan(20);
  expect(operations.filter((operation) => !isAsked(operation))).toEqual([]);
});
