/** nginx, which forwards every request over kept connections, with an access log; one process. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@lintel/testkit';
import { announce } from '../servers/announce.ts';
import { findProgram } from '../servers/find-program.ts';
import { readServerSettings } from '../servers/server-settings.ts';

const given = readServerSettings();
const folder = mkdtempSync(join(tmpdir(), 'lintel-bench-nginx-'));
const port = await freePort();
const { host } = new URL(given.upstreamUrl ?? '');

writeFileSync(
  join(folder, 'nginx.conf'),
  `daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log ${folder}/access.log combined buffer=32k flush=1s;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  keepalive_requests 1000000000;
  upstream service { server ${host}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto http;
      proxy_set_header X-Forwarded-Host $http_host;
    }
  }
}
`,
);

const child = spawn(
  findProgram('nginx', process.env) ?? 'nginx',
  ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
  { stdio: 'inherit' },
);
child.once('exit', (code) => process.exit(code ?? 1));
process.once('exit', () => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const accepts = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });

while (!(await accepts())) await sleep(20);
announce(`http://127.0.0.1:${port}`);
