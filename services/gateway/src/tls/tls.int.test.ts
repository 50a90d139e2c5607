import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { createLogger } from '@lintel/telemetry';
import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';
import { openCertificate } from './open-certificate.ts';

const silent = createLogger({ service: 'gateway', level: 'silent' });
const fixture = (name: string) => new URL(`../../test/certificates/${name}.pem`, import.meta.url);

let folder: string;
let gateway: RunningGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-tls-'));
  use('first');
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  rmSync(folder, { recursive: true });
});

const certificateFile = () => join(folder, 'tls.crt');
const keyFile = () => join(folder, 'tls.key');
function use(name: string, key = name): void {
  copyFileSync(fixture(`${name}.cert`), certificateFile());
  copyFileSync(fixture(`${key}.key`), keyFile());
}
const start = async (properties: Record<string, string> = {}) => {
  gateway = await startGateway({
    'svc.gateway.tls.certificate-file': certificateFile(),
    'svc.gateway.tls.key-file': keyFile(),
    ...properties,
  });
  return gateway;
};

/** Subject of the certificate that the server presents to a new connection. */
const subjectOf = (port: number, options: object = {}) =>
  new Promise<string>((resolve, reject) => {
    const socket: TLSSocket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      const { CN } = socket.getPeerCertificate().subject;
      socket.destroy();
      resolve(String(CN));
    });
    socket.on('error', reject);
  });

test('with a certificate the gateway speaks HTTPS and says so to the services', async () => {
  const { port, url, upstreams } = await start();
  expect(url).toMatch(/^https:/);
  const result = await new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer opaque-clerk' };
    httpsRequest(`${url}/rest/userInfo`, { ca: readFileSync(fixture('first.cert')), headers }, (response) => {
      response.resume().on('end', () => resolve([response.statusCode, response.headers['strict-transport-security']]));
    })
      .on('error', reject)
      .end();
  });
  expect(result).toEqual([200, 'max-age=31536000']);
  expect(upstreams.data.seen[0]?.headers).toMatchObject({
    'x-forwarded-proto': 'https',
    'x-forwarded-host': `127.0.0.1:${port}`,
  });
});

test('clients with an older TLS than configured are refused', async () => {
  const { port } = await start();
  // An old client that accepts everything, old ciphers included.
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  await expect(subjectOf(port, old)).rejects.toThrow(/protocol version|EPROTO/);
  expect(await subjectOf(port, { maxVersion: 'TLSv1.2' })).toBe('first.test');
  await gateway?.close();
  const strict = await start({ 'svc.gateway.tls.min-version': 'TLSv1.3' });
  await expect(subjectOf(strict.port, { maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol version|EPROTO/);
  expect(await subjectOf(strict.port)).toBe('first.test');
});

test('new files are taken without a restart; connections that exist go on', async () => {
  const { port } = await start();
  const open = await new Promise<TLSSocket>((resolve, reject) => {
    const socket: TLSSocket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(socket));
    socket.on('error', reject);
  });
  use('second');
  let subject = '';
  await until(() => {
    void subjectOf(port).then((now) => {
      subject = now;
    });
    return subject === 'second.test';
  });
  const response = new Promise<string>((resolve) => open.once('data', (chunk: Buffer) => resolve(chunk.toString())));
  open.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await response).toMatch(/^HTTP\/1\.1 200/);
  open.destroy();
});

test('files that are no pair, or half written, change nothing, and are named in the log', async () => {
  const { port, certificate, lines } = await start();
  use('second', 'first');
  certificate?.reload();
  expect(await subjectOf(port)).toBe('first.test');
  writeFileSync(certificateFile(), '-----BEGIN CERTIFICATE-----\n');
  certificate?.reload();
  expect(await subjectOf(port)).toBe('first.test');
  expect(lines.join()).toContain('the new certificate cannot be used; the former one stays');
  use('second');
  certificate?.reload();
  expect(await subjectOf(port)).toBe('second.test');
});

test('bytes that are not TLS end the connection and harm no other client', async () => {
  const { port } = await start();
  for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\xff\xff\x01garbage'])
    await new Promise<void>((resolve) => {
      const socket = connectPlain(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
      socket.on('close', () => resolve()).on('error', () => undefined);
      socket.resume();
      setTimeout(() => socket.end(), 200);
    });
  expect(await subjectOf(port)).toBe('first.test');
});

test('a certificate that cannot be used stops the start, naming why', () => {
  use('first', 'second');
  const open = (files: { certificateFile?: string; keyFile?: string }) =>
    openCertificate({ certificateFile: undefined, keyFile: undefined, minVersion: 'TLSv1.2', ...files }, silent);
  const both = { certificateFile: certificateFile(), keyFile: keyFile() };
  expect(() => open(both)).toThrow('The certificate of the gateway cannot be used');
  expect(() => open({ ...both, keyFile: join(folder, 'none') })).toThrow(join(folder, 'none'));
  expect(() => open({ keyFile: keyFile() })).toThrow('need each other');
  expect(open({})).toBeUndefined();
});
