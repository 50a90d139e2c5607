import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLoopbackPort } from '@lintel/embedded-database';
import type { TestCertificate } from '../../resources/test-certificates.ts';
import { testEnvironment } from '../../resources/test-environment.ts';
import { accepts, type ChildServer, startChildServer } from '../child-server.ts';
import { createRunFolder } from '../run-folder.ts';

export interface SlapdOptions {
  /** DN of the only suffix, which all entries are below. */
  readonly suffix: string;
  /** DN and password of the administrator. */
  readonly rootDn: string;
  readonly rootPassword: string;
  /** Of the server, for `ldaps://` and StartTLS. */
  readonly certificate?: TestCertificate;
  /** Types of attributes and object classes beyond those of people, as `slapd.conf` has them. */
  readonly schema?: readonly string[];
}

/** An OpenLDAP server for one suite, without entries. */
export interface Slapd {
  readonly url: string;
  /** Usable with a certificate. */
  readonly tlsUrl: string;
  stop(): Promise<void>;
  /** Starts it again, with the entries that it had. */
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/** Where packages put the modules and schemas of OpenLDAP. */
const MODULES = [
  '/usr/lib/ldap',
  '/usr/lib64/openldap',
  '/usr/lib/openldap',
  '/opt/homebrew/opt/openldap/libexec/openldap',
];
const SCHEMAS = ['/etc/ldap/schema', '/etc/openldap/schema', '/opt/homebrew/etc/openldap/schema'];

/** Starts OpenLDAP's `slapd` on free ports, with its data in a temporary folder. */
export async function startSlapd({
  suffix,
  rootDn,
  rootPassword,
  certificate,
  schema = [],
}: SlapdOptions): Promise<Slapd> {
  const folder = createRunFolder();
  const data = join(folder.path, 'slapd-data');
  mkdirSync(data);
  const file = join(folder.path, 'slapd.conf');
  const schemas = SCHEMAS.find((path) => existsSync(path)) ?? '';
  const modules = MODULES.find((path) => existsSync(path));
  const lines = [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${join(schemas, `${name}.schema`)}`),
    ...schema,
    ...(modules === undefined ? [] : [`modulepath ${modules}`, 'moduleload back_mdb']),
    ...(certificate === undefined
      ? []
      : [`TLSCertificateFile ${certificate.certificate}`, `TLSCertificateKeyFile ${certificate.key}`]),
    'database mdb',
    'maxsize 16777216',
    `suffix "${suffix}"`,
    `rootdn "${rootDn}"`,
    `rootpw "${rootPassword}"`,
    `directory ${data}`,
    '',
  ];
  writeFileSync(file, lines.join('\n'));
  const [port, tlsPort] = [await freeLoopbackPort(), await freeLoopbackPort()];
  const url = `ldap://127.0.0.1:${port}`;
  const tlsUrl = `ldaps://127.0.0.1:${tlsPort}`;
  let child: ChildServer | undefined;
  const server: Slapd = {
    url,
    tlsUrl,
    async start() {
      child = await startChildServer({
        name: `slapd-${port}`,
        program: testEnvironment('LINTEL_TEST_SLAPD_PROGRAM'),
        parameters: ['-f', file, '-h', certificate === undefined ? `${url}/` : `${url}/ ${tlsUrl}/`, '-d', '0'],
        folder: folder.path,
        isReady: () => accepts(port),
      });
    },
    async stop() {
      await child?.stop();
    },
    async dispose() {
      await child?.stop();
      folder.remove();
    },
  };
  await server.start();
  return server;
}
