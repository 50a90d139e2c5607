import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FORWARDING_PROOF_HEADER, forwardingProofOf } from '@lintel/http';
import { cloneTestDatabase, eventually } from '@lintel/testkit';
import { schemaOf } from '../schema-of.ts';
import { eventsApplication } from './events-application.ts';

const database = await cloneTestDatabase(schemaOf(eventsApplication.model), 'events-killed');
let child: ChildProcess | undefined;
afterAll(async () => {
  child?.kill('SIGKILL');
  await database.drop();
});

async function startChild(): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const started = fork(fileURLToPath(new URL('./events-process.ts', import.meta.url)), [database.url], {
    execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
  });
  child = started;
  const [url] = await once(started, 'message');
  return { process: started, url: String(url) };
}

/** Whether the write was acknowledged. */
async function publish(url: string, text: string): Promise<boolean> {
  const headers = { authorization: 'Bearer admin', [FORWARDING_PROOF_HEADER]: forwardingProofOf('x') };
  try {
    const body = JSON.stringify({ subject: 's', text });
    const response = await fetch(`${url}/rest/services/e_Events/publish`, { method: 'POST', headers, body });
    return response.status === 200;
  } catch {
    return false;
  }
}

// Asserts contract/events.md#delivery.
test('no acknowledged event is lost, handled twice or kept from webhooks when the process is killed', async () => {
  const acknowledged: string[] = [];
  await database.query(`INSERT INTO sys.webhook (id, version, name, url, entity_name, changes, active, owner, secret)
    VALUES (gen_random_uuid(), 1, 'n', 'https://localhost/', 'e.noted.v1', 'created', true, 'no user', 's')`);
  for (let round = 0; round < 3; round += 1) {
    const { process: running, url } = await startChild();
    const exited = once(running, 'exit');
    for (let at = 0; !running.killed; at += 1) {
      const texts = Array.from({ length: 8 }, (_, of) => `${round} ${at} ${of}`);
      const results = texts.map(async (text) => ({ text, isKnown: await publish(url, text) }));
      // While requests, the outbox and handlers are at work.
      if (at === 15) running.kill('SIGKILL');
      for (const { text, isKnown } of await Promise.all(results)) if (isKnown) acknowledged.push(`s ${text}`);
    }
    await exited;
  }
  expect(acknowledged.length).toBeGreaterThan(300);
  await startChild();
  await eventually(async () => {
    const [row] = await database.query(`SELECT count(*)::int AS n FROM events.outbox o, events.handler h
      WHERE h.name IN ('copy', 'lintel/webhooks') AND (o.published_at IS NULL OR o.type = 'e.noted.v1' AND o.published_position > h.position)`);
    expect(row).toEqual({ n: 0 });
  });
  const rows = await database.query<{ text: string }>('SELECT text FROM e.copy');
  const copied = rows.map(({ text }) => text);
  expect(acknowledged.filter((text) => !copied.includes(text))).toEqual([]);
  const sent = await database.query<{ text: string }>(`SELECT event_data ->> 'text' AS text FROM sys.webhook_delivery`);
  expect(sent.map(({ text }) => `s ${text}`).toSorted()).toEqual(copied.toSorted());
  // The unique attribute of the copies would have refused a second one.
  expect(await database.query(`SELECT error FROM events.handler_retry WHERE handler = 'copy'`)).toEqual([]);
});
