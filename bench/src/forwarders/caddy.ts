/** Caddy, which forwards every request over kept connections, with an access log. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@lintel/testkit';
import { announceProgram } from '../servers/announce-program.ts';
import { findProgram } from '../servers/find-program.ts';
import { readServerSettings } from '../servers/server-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-bench-caddy-'));
const port = await freePort();
const { host } = new URL(readServerSettings().upstreamUrl ?? '');
const file = join(folder, 'Caddyfile');

writeFileSync(
  file,
  `{
  admin off
  auto_https off
  persist_config off
  storage file_system ${folder}
}
http://127.0.0.1:${port} {
  log {
    output file ${folder}/access.log
  }
  reverse_proxy ${host}
}
`,
);

await announceProgram({
  file: findProgram('caddy', process.env) ?? 'caddy',
  parameters: ['run', '--config', file, '--adapter', 'caddyfile'],
  port,
  folder,
});
