import { DECISION_FIELD } from '@lintel/login';
import type { TestDatabase } from '@lintel/testkit';
import { type Browser, CALLBACK, fieldsOf, loginPages } from '../../../../test/login-pages.ts';
import { App, recoveryCodesOf, secretOf } from '../../../../test/second-factor-pages.ts';
import {
  ecKey,
  type PasskeyDefects,
  passkeyOptionsOf,
  rsaKey,
  SoftwarePasskey,
} from '../../../../test/software-passkey.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../../test/start-auth.ts';

const ISSUER = 'http://lintel.example';
const CLIENT = 'svc.authserver.client.web';
const PATH = '/as-login/security';

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': ISSUER,
      'svc.auth.passkeys': 'true',
      [`${CLIENT}.client-id`]: 'web',
      [`${CLIENT}.client-secret`]: 'secret',
      [`${CLIENT}.grant-types`]: 'authorization_code',
      [`${CLIENT}.redirect-uris`]: CALLBACK,
    },
  });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { open } = loginPages(() => auth);
let number = 0;
/** A browser in which a new user has logged in. */
async function loggedIn(parameters: Record<string, string> = {}) {
  number += 1;
  const username = `user${number}`;
  await auth.addUser(username);
  const { browser, submit } = await open(parameters);
  await submit({ username, password: username });
  return { username, browser };
}
const show = async (browser: Browser) => (await browser.ask(PATH)).text();
const send = async (browser: Browser, page: string, decision: string, form: Record<string, string> = {}) => {
  const { proof } = fieldsOf(page);
  const response = await browser.ask(PATH, { proof, [DECISION_FIELD]: decision, ...form });
  return { status: response.status, page: await response.text() };
};
const headingOf = (page = ''): string | undefined => /<h1>(.*?)<\/h1>/.exec(page)?.[1];
const namesOf = (page: string) => [...page.matchAll(/<p><strong>([^<:]+)<\/strong><br>/g)].map(([, name]) => name);
const offerOf = (page: string): string => /name="offer" value="([^"]+)"/.exec(page)?.[1] ?? '';
const nonceOf = (page: string): string => /name="nonce" value="([^"]+)"/.exec(page)?.[1] ?? '';
const idOf = (page: string): string => /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '';
const addApp = (browser: Browser, page: string, more: Record<string, string> = {}) =>
  send(browser, page, 'add-app', {
    offer: offerOf(page),
    code: new App(secretOf(page)).next(),
    name: 'My <phone>',
    ...more,
  });
function addPasskey(browser: Browser, page: string, defects: PasskeyDefects = {}) {
  const options = passkeyOptionsOf(page, 'add-passkey');
  if (options === undefined) throw new Error('The page has no form for a passkey');
  return send(browser, page, 'add-passkey', {
    nonce: nonceOf(page),
    credential: new SoftwarePasskey(ISSUER).create(options, defects),
    name: 'Laptop',
  });
}

// Asserts contract/tokens.md#second-factor.
test('a user adds an app and a passkey, removes one, and gets new recovery codes', async () => {
  const { browser } = await loggedIn();
  const first = await addPasskey(browser, await show(browser));
  expect([headingOf(first.page), recoveryCodesOf(first.page).length]).toEqual(['Your recovery codes', 10]);
  // From now on the login of the browser lacks a factor.
  expect(headingOf(await show(browser))).toBe('Log in again');
  await testDatabase.query('DELETE FROM auth.second_factor');
  const codes = await addApp(browser, await show(browser));
  expect(recoveryCodesOf(codes.page)).toHaveLength(10);
});

// Asserts contract/tokens.md#second-factor.
test('the page needs a new login of the browser, with all factors', async () => {
  expect((await fetch(`${auth.url}${PATH}`)).status).toBe(401);
  const { username, browser } = await loggedIn();
  const page = await show(browser);
  await addApp(browser, page);
  const app = new App(secretOf(page));
  app.next();
  const again = await open({ prompt: 'login' }, browser);
  const asked = await again.submit({ username, password: username });
  const { action, proof } = fieldsOf(asked.page ?? '');
  await browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'code', code: app.next() }));
  const shown = await show(browser);
  expect(namesOf(shown)).toEqual(['My &lt;phone&gt;']);
  const both = await addPasskey(browser, shown);
  expect(namesOf(both.page)).toEqual(['My &lt;phone&gt;', 'Laptop']);
  // A second one in the same page: each has a challenge of its own.
  expect(namesOf((await addPasskey(browser, both.page)).page)).toHaveLength(3);
  expect(recoveryCodesOf((await send(browser, both.page, 'renew-codes')).page)).toHaveLength(10);
  const removed = await send(browser, both.page, 'remove', { id: idOf(both.page) });
  expect(namesOf(removed.page)).toEqual(['Laptop', 'Laptop']);
});

// Asserts contract/tokens.md#second-factor.
test('forms of other pages, browsers and users change nothing', async () => {
  const [one, other] = [await loggedIn(), await loggedIn()];
  const [page, foreign] = [await show(one.browser), await show(other.browser)];
  // The proof of another browser, and none.
  for (const proof of [fieldsOf(foreign).proof, ''])
    expect((await addApp(one.browser, page, { proof })).status).toBe(400);
  // The offer and the challenge of another user.
  const offer = { offer: offerOf(foreign), code: new App(secretOf(foreign)).next() };
  expect((await addApp(one.browser, page, offer)).status).toBe(400);
  const options = passkeyOptionsOf(foreign, 'add-passkey') ?? { challenge: '' };
  const credential = new SoftwarePasskey(ISSUER).create(options);
  const form = { nonce: nonceOf(foreign), credential, name: 'x' };
  expect((await send(one.browser, page, 'add-passkey', form)).status).toBe(400);
  expect(namesOf(await show(one.browser))).toEqual([]);
  await addApp(other.browser, foreign);
  const [row] = await testDatabase.query<{ id: string }>('SELECT id FROM auth.second_factor ORDER BY created_at DESC');
  await send(one.browser, page, 'remove', { id: row?.id ?? '' });
  expect(await testDatabase.query(`SELECT 1 FROM auth.second_factor WHERE id = '${row?.id}'`)).toHaveLength(1);
});

// Asserts contract/tokens.md#second-factor.
test.each([
  ['no name', { name: ' ' }],
  ['a long name', { name: 'x'.repeat(101) }],
  ['a name with a NUL character', { name: 'a\0' }],
  ['a name with an invisible character', { name: 'a\u200bb' }],
  ['a name whose direction changes', { name: 'a\u202eb' }],
  ['a wrong code', { code: '000000' }],
  ['an offer that is none', { offer: 'none' }],
])('bad input changes nothing: %s', async (_case, form) => {
  const { browser } = await loggedIn();
  const { status, page } = await addApp(browser, await show(browser), form);
  expect([status, namesOf(page)]).toEqual([400, []]);
});

const edKey = (y: string): Buffer => Buffer.from(`a4010103272006215820${y.padEnd(64, '0')}`, 'hex');
const [modulus, three] = [Buffer.alloc(256, 0xf1), Buffer.of(3)];
test.each<[string, PasskeyDefects]>([
  ['a point off the curve', { key: ecKey(Buffer.alloc(32, 1), Buffer.alloc(32, 2)) }],
  ['a point off the curve Ed25519', { key: edKey('02') }],
  ['a point of Ed25519 of order 8', { key: edKey('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05') }],
  ['a coordinate of Ed25519 that is not reduced', { key: edKey(`f1${'ff'.repeat(30)}7f`) }],
  ['RSA of 8 bits', { key: rsaKey(Buffer.of(0xf1), three) }],
  ['RSA of 2047 bits', { key: rsaKey(Buffer.from(modulus).fill(0x71, 0, 1), three) }],
  ['RSA with the exponent 1', { key: rsaKey(modulus, Buffer.of(1)) }],
  ['RSA with an even exponent', { key: rsaKey(modulus, Buffer.of(4)) }],
  ['RSA with an even modulus', { key: rsaKey(Buffer.alloc(256, 0xf0), three) }],
  [
    'the algorithm of another type of key',
    { key: Buffer.concat([Buffer.from('a40103032620', 'hex'), rsaKey(modulus, three).subarray(8)]) },
  ],
  ['a page inside a page of another site', { crossOrigin: true }],
])('a passkey that cannot be used is not added: %s', async (_case, defects) => {
  const { browser } = await loggedIn();
  const { status, page } = await addPasskey(browser, await show(browser), defects);
  expect([status, namesOf(page)]).toEqual([400, []]);
  expect(namesOf(await show(browser))).toEqual([]);
});

test.each([
  ['RSA', { key: rsaKey(modulus, three) }],
  ['Ed25519', { key: edKey('58'.padEnd(64, '6')) }],
])('a passkey with a key of %s is added', async (_case, defects) => {
  const { browser } = await loggedIn();
  expect((await addPasskey(browser, await show(browser), defects)).status).toBe(200);
});
