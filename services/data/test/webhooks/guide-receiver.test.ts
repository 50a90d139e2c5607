import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually, freePort } from '@lintel/testkit';
import { signedHeaders } from '../../src/webhooks/outgoing/sign-message.ts';

const GUIDE = new URL('../../../../docs/guide/webhooks.md', import.meta.url);
const SECRET = `whsec_${Buffer.alloc(32, 'a secret of this test').toString('base64')}`;
const BODY = JSON.stringify({
  type: 'data.entity.changed.v1',
  data: { entity: 't_Deal', change: 'created', instance: { _instanceName: 'Große' } },
});
const TEST_BODY = JSON.stringify({ type: 'webhook.test.v1', data: {} });

test('the receiver of the guide accepts each signed message once, ignores other types, and refuses all others', async () => {
  const [, code = ''] = /```js\n(\/\/ receiver\.mjs\n[\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'lintel-receiver-'));
  writeFileSync(join(folder, 'receiver.mjs'), code);
  const port = await freePort();
  const env = { PORT: String(port), WEBHOOK_SECRET: SECRET };
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: receiver.stdout }).on('line', (line) => lines.push(line));
  const send = async (headers: Readonly<Record<string, string>>, body = BODY): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  try {
    await eventually(() => send({}));
    const headers = signedHeaders({ id: 'one', body: BODY }, [SECRET], Date.now());
    expect(await send(signedHeaders({ id: 'test', body: TEST_BODY }, [SECRET], Date.now()), TEST_BODY)).toBe(204);
    expect([await send(headers), await send(headers)]).toEqual([204, 204]);
    expect(await send(headers, BODY.replace('created', 'deleted'))).toBe(401);
    expect(await send({ ...headers, 'webhook-id': 'two' })).toBe(401);
    expect(await send(signedHeaders({ id: 'one', body: BODY }, [SECRET], Date.now() - 3_600_000))).toBe(401);
    await eventually(() => expect(lines).toEqual(['created t_Deal Große']));
  } finally {
    receiver.kill();
    rmSync(folder, { recursive: true });
  }
});
