import { setTimeout as sleep } from 'node:timers/promises';
import { bindApplication, mail } from '@lintel/application';
import { cloneTestDatabase, startTcpProxy, type TestDatabase } from '@lintel/testkit';
import { startMailServer } from '@lintel/testkit/mail-server';
import { createMailbox } from '../../src/index.ts';
import { startDataOn } from '../data-fixture.ts';
import { schemaOf } from '../schema-of.ts';
import { mailsApplication } from './mails-application.ts';

const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  log: { resourceRoles: ['m-log'] },
  other: { resourceRoles: ['rest-minimal'] },
};

type Data = Awaited<ReturnType<typeof startDataOn>>;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startMailServer>>;
let data: Data;
const files = new Map([['fs://2026/a.pdf', Buffer.from('%PDF of a stored file')]]);
const storedFiles = {
  store: () => Promise.reject(new Error('Nothing is stored')),
  list: async () => ({ files: [], next: null }),
  describe: async () => [],
  read: async (fileRef: string) => files.get(fileRef),
  remove: async () => {},
};
beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(mailsApplication.model), 'mails');
  server = await startMailServer();
  data = await startDataOn(database, mailsApplication, USERS, server.properties, undefined, { storedFiles });
  await data.service.start();
});
afterAll(async () => {
  await data.close();
  await server.close();
  await database.drop();
});
beforeEach(() => server.received.splice(0));

interface Logged {
  readonly name: string;
  readonly recipient: string;
  readonly state: string;
  readonly error: string | null;
}

const logged = async (id: string): Promise<Logged | undefined> =>
  (await database.query<Logged>(`SELECT name, recipient, state, error FROM sys.mail WHERE id = '${id}'`))[0];

async function until<T>(read: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 100_000; ; ) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`Nothing came: ${JSON.stringify(data.errors.slice(-2), withErrors)}`);
    await sleep(50);
  }
}

const ended = (id: string) =>
  until(async () => {
    const found = await logged(id);
    return found !== undefined && found.state !== 'queued' && found;
  });

async function send(options: object, name = 'reminder'): Promise<string> {
  const response = await data.send('admin', 'POST', '/services/m_Mails/send', { name, options });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.text;
}

const TO = { to: 'ada@example.com', data: { guest: 'Ada' } };

// Asserts contract/mail.md#sending.
test('a mail of a listener is sent after the commit of its write, and one that is refused is not', async () => {
  const create = (guest: string, headers = {}) =>
    data.send('admin', 'POST', '/entities/m_Visit', { guest, email: 'bo@example.com' }, headers);
  expect((await create('refused')).status).toBe(400);
  expect((await create('Rehearsed', { prefer: 'tx=rollback' })).status).toBe(201);
  const response = await create('Bo <b>');
  expect(response.status).toBe(201);
  const [mail] = await until(async () => server.received.length > 0 && server.received);
  expect(mail?.to).toEqual(['bo@example.com']);
  expect(mail?.text).toContain('Subject: Visit of Bo <b>');
  expect(mail?.text).toContain('Dear Bo <b>,');
  expect(await database.query('SELECT recipient FROM sys.mail')).toEqual([{ recipient: 'bo@example.com' }]);
});

// Asserts contract/mail.md#declaration.
test('values are escaped in HTML, texts follow the locale, and messages are found', async () => {
  await ended(await send({ ...TO, data: { guest: '<Ada> & Co' } }));
  expect(server.received[0]?.text).toContain('<b>&lt;Ada&gt; &amp; Co</b>');
  expect(server.received[0]?.text).toContain('your visit is m/soon.');
  await ended(await send({ ...TO, locale: 'de_AT' }));
  expect(server.received[1]?.text).toContain('Guten Tag Ada, Ihr Besuch ist bald.');
  await ended(await send({ ...TO, locale: 'fr' }));
  expect(server.received[2]?.text).toContain('Dear Ada,');
});

// Asserts contract/mail.md#headers.
test('a mail has an id of its own, and the address where its receiver declines further ones', async () => {
  const id = await send({ ...TO, data: { guest: 'Ada B' } });
  await ended(id);
  const text = server.received[0]?.text ?? '';
  expect(text).toContain('From: Lintel <no-reply@lintel.example>');
  expect(text).toContain(`Message-ID: <${id}@lintel.example>`);
  expect(text).toContain('List-Unsubscribe: <https://m.example/stop?guest=Ada+B>');
  expect(text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  await ended(await send(TO, 'plain'));
  expect(server.received[1]?.text).not.toContain('List-Unsubscribe');
});

// Asserts contract/mail.md#headers.
test('values with line breaks add no header', async () => {
  await ended(await send({ ...TO, data: { guest: 'Ada\r\nBcc: eve@evil.example' } }));
  expect(server.received[0]?.to).toEqual(['ada@example.com']);
  expect(server.received[0]?.text).toContain('Subject: Visit of Ada Bcc: eve@evil.example');
});

// Asserts contract/mail.md#sending.
test('a key is one mail, also when its run is gone', async () => {
  const ids = await Promise.all([1, 2, 3].map(() => send({ ...TO, key: 'k' })));
  expect(new Set(ids).size).toBe(1);
  await ended(ids[0] ?? '');
  await database.query(`DELETE FROM job.job WHERE name = 'lintel.mail'`);
  expect(await send({ ...TO, key: 'k' })).toBe(ids[0]);
  expect(await database.query(`SELECT FROM job.job WHERE name = 'lintel.mail'`)).toEqual([]);
  expect(server.received).toHaveLength(1);
  const other = await send({ ...TO, key: 'k' }, 'plain');
  expect(other).not.toBe(ids[0]);
  await ended(other);
});

// Asserts contract/mail.md#attachments.
test('contents and stored files are attached', async () => {
  await ended(
    await send({
      ...TO,
      attachments: [
        { name: 'note.txt', content: 'A note' },
        { name: 'bill.pdf', fileRef: 'fs://2026/a.pdf' },
      ],
    }),
  );
  const text = server.received[0]?.text ?? '';
  expect(text).toContain('filename=note.txt');
  expect(text).toContain(Buffer.from('A note').toString('base64'));
  expect(text).toMatch(/Content-Type: application\/pdf[\s\S]*filename=bill.pdf/);
  expect(text).toContain(Buffer.from('%PDF of a stored file').toString('base64'));
  const missing = await ended(await send({ ...TO, attachments: [{ name: 'a', fileRef: 'fs://2026/none' }] }));
  expect(missing).toMatchObject({ state: 'failed', error: 'A file of the mail does not exist' });
});

// Asserts contract/mail.md#attempts.
test('a temporary failure is tried again, and no log has the address', async () => {
  server.refuseReceiver('slow@example.com', '450 4.2.1 slow@example.com is busy');
  const id = await send({ ...TO, to: 'slow@example.com' });
  const waiting = await until(async () => {
    const found = await logged(id);
    return found?.error != null && found;
  });
  expect(waiting).toMatchObject({ state: 'queued', error: expect.stringContaining('…@example.com is busy') });
  server.refuseReceiver('slow@example.com');
  await database.query(`UPDATE job.job SET start_after = now() WHERE id = '${id}'`);
  expect(await ended(id)).toMatchObject({ state: 'sent', error: null });
  const lines = [...data.errors, ...data.warnings, ...data.infos].map((line) => JSON.stringify(line, withErrors));
  expect(lines.join('\n')).not.toContain('slow@');
  expect(lines.join('\n')).toContain(id);
});

// Asserts contract/mail.md#attempts.
test('a mail that waits for its server is sent once the server is back', async () => {
  const passing = await startTcpProxy({ port: Number(server.properties['svc.mail.smtp-port']) });
  const properties = { ...server.properties, 'svc.mail.smtp-port': String(passing.port) };
  await data.close();
  data = await startDataOn(database, mailsApplication, USERS, properties, undefined, { storedFiles });
  await data.service.start();
  passing.block();
  const id = await send(TO);
  await until(async () => (await logged(id))?.error != null);
  expect(await logged(id)).toMatchObject({ state: 'queued' });
  passing.restore();
  await database.query(`UPDATE job.job SET start_after = now() WHERE id = '${id}'`);
  expect(await ended(id)).toMatchObject({ state: 'sent' });
  expect(server.received).toHaveLength(1);
  await data.close();
  await passing.close();
  data = await startDataOn(database, mailsApplication, USERS, server.properties, undefined, { storedFiles });
  await data.service.start();
});

const withErrors = (_name: string, value: unknown): unknown =>
  value instanceof Error ? [value.message, value.stack, value.cause] : value;

// Asserts contract/mail.md#suppression.
test('an address that bounces gets no further mails until it is released', async () => {
  server.refuseReceiver('gone@example.com', '550 5.1.1 There is no gone@example.com');
  expect(await ended(await send({ ...TO, to: 'Gone@example.com' }))).toMatchObject({ state: 'sent' });
  expect(await ended(await send({ ...TO, to: 'gone@example.com' }))).toMatchObject({ state: 'bounced' });
  server.refuseReceiver('gone@example.com');
  server.received.splice(0);
  expect(await ended(await send({ ...TO, to: 'GONE@example.com' }))).toMatchObject({ state: 'suppressed' });
  expect(server.received).toEqual([]);
  const { status, text } = await data.send('admin', 'GET', '/entities/sys_SuppressedAddress');
  const [entry] = JSON.parse(text);
  expect([status, entry]).toEqual([200, expect.objectContaining({ address: 'gone@example.com' })]);
  expect((await data.send('admin', 'DELETE', `/entities/sys_SuppressedAddress/${entry.id}`)).status).toBe(204);
  expect(await ended(await send({ ...TO, to: 'gone@example.com' }))).toMatchObject({ state: 'sent' });
});

// Asserts contract/mail.md#suppression.
test.each([
  ['550 5.7.1 Relaying denied', 'failed'],
  ['554 5.2.2 Mailbox full', 'failed'],
])('the response %s ends a mail as %s, without a suppressed address', async (response, state) => {
  server.refuseReceiver('far@example.com', response);
  expect(await ended(await send({ ...TO, to: 'far@example.com' }))).toMatchObject({ state });
  server.refuseReceiver('far@example.com');
  expect(await ended(await send({ ...TO, to: 'far@example.com' }))).toMatchObject({ state: 'sent' });
});

// Asserts contract/mail.md#attempts.
test('a value that a template needs and does not have ends the mail', async () => {
  const mail = await ended(await send({ to: 'ada@example.com' }));
  expect(mail).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('en.subject: undefined variable: guest'),
  });
});

// Asserts contract/mail.md#sending.
test.each([
  [{ name: 'remind', options: TO }, 'There is no mail remind; did you mean reminder?'],
  [{ name: 'reminder', options: { to: 'ada@example.com, eve@example.com' } }, 'to must be one address'],
  [{ name: 'reminder', options: {} }, 'to must be one address'],
  [{ name: 'plain', options: { ...TO, attachments: [{ name: 'a', content: 'x'.repeat(700_000) }] } }, undefined],
])('sending %j fails with a sentence in the log', async (body, message) => {
  data.errors.splice(0);
  const { status } = await data.send('admin', 'POST', '/services/m_Mails/send', body);
  expect(status).toBe(message === undefined ? 200 : 500);
  if (message !== undefined) expect(JSON.stringify(data.errors, withErrors)).toContain(message);
});

// Asserts contract/mail.md#log.
test('the log has who got what, for those who may read it, and is changed by sending alone', async () => {
  const id = await send(TO);
  await ended(id);
  const { status, text } = await data.send('log', 'GET', `/entities/sys_Mail/${id}`);
  expect([status, JSON.parse(text)]).toEqual([
    200,
    expect.objectContaining({ name: 'reminder', recipient: 'ada@example.com', state: 'sent' }),
  ]);
  expect(text).not.toContain('Dear');
  expect((await data.send('other', 'GET', `/entities/sys_Mail/${id}`)).status).toBe(403);
  const forged = { id, name: 'x', recipient: 'x@example.com', state: 'sent', queuedAt: '2026-01-01T00:00:00' };
  expect((await data.send('admin', 'POST', '/entities/sys_Mail', { ...forged, id: undefined })).status).toBe(403);
  expect((await data.send('admin', 'PUT', `/entities/sys_Mail/${id}`, { state: 'failed' })).status).toBe(403);
  expect((await data.send('admin', 'DELETE', `/entities/sys_Mail/${id}`)).status).toBe(204);
});

// Asserts contract/mail.md#log.
test('mails of the log are removed a year after they were queued', async () => {
  const old = await send(TO, 'plain');
  await ended(old);
  await database.query(`UPDATE sys.mail SET queued_at = now() - interval '366 days' WHERE id = '${old}'`);
  await ended(await send(TO, 'plain'));
  await until(async () => (await logged(old)) === undefined);
});

// Asserts contract/mail.md#sending.
test('operators see the runs that send mails, and cannot start one', async () => {
  const id = await send(TO);
  await ended(id);
  const run = await data.send('admin', 'GET', `/operations/job-runs/${id}`);
  expect(run.json()).toMatchObject({ job: 'lintel.mail', error: null });
  expect(run.text).not.toContain('ada@');
  expect((await data.send('admin', 'POST', '/operations/jobs/lintel.mail/run')).status).toBe(404);
});

// Asserts contract/mail.md#mailbox and contract/operations.md#mailbox.
test('without a server one process shows mails, and in others they wait', async () => {
  const mailbox = createMailbox();
  await data.close();
  const shown = await startDataOn(database, mailsApplication, USERS, {}, undefined, { mailbox });
  await shown.service.start();
  const response = await shown.send('admin', 'POST', '/services/m_Mails/send', { name: 'reminder', options: TO });
  const { state } = await until(async () => (await logged(response.text))?.state !== 'queued' && logged(response.text));
  expect([state, mailbox.list()]).toEqual([
    'shown',
    [expect.objectContaining({ id: response.text, to: 'ada@example.com', subject: 'Visit of Ada' })],
  ]);
  const read = await shown.send('admin', 'GET', '/operations/mailbox');
  expect(read.json()[0]).toMatchObject({ to: 'ada@example.com', html: expect.any(String), attachments: [] });
  await shown.close();
  const without = await startDataOn(database, mailsApplication, USERS);
  await without.service.start();
  const waiting = await without.send('admin', 'POST', '/services/m_Mails/send', { name: 'reminder', options: TO });
  const found = await until(async () => {
    const mail = await logged(waiting.text);
    return mail?.error != null && mail;
  });
  expect(found).toMatchObject({ state: 'queued', error: 'svc.mail.smtp-host is not set' });
  await without.close();
});

// Asserts contract/mail.md#declaration.
test('a template that cannot be parsed stops the start', async () => {
  const mails = [mail('bad', { templates: { en: { subject: 'a', text: '{{ name | nothing }}' } } })];
  const wrong = await startDataOn(database, bindApplication({ ...mailsApplication, mails }), USERS, server.properties);
  await expect(wrong.service.start()).rejects.toThrow('Mail bad: en.text: undefined filter: nothing');
  await wrong.close();
  data = await startDataOn(database, mailsApplication, USERS, server.properties);
});
