/** nginx, which forwards every request over kept connections, with an access log; one process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@lintel/testkit';
import { accepts, findProgram, signalGroup, startChildServer } from '@lintel/testkit/backends';
import { announce } from '../servers/announce.ts';
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

const nginx = await startChildServer({
  name: 'nginx',
  program: findProgram('nginx') ?? 'nginx',
  parameters: ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
  folder,
  isReady: () => accepts(port),
});
process.once('exit', () => {
  signalGroup(nginx.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
announce(`http://127.0.0.1:${port}`);
