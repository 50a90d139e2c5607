import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CertificateOptions {
  /** `CN`: the name of a login for certificates of clients. */
  readonly name: string;
  /** Host names and addresses: `DNS:localhost`, `IP:127.0.0.1`. */
  readonly hosts?: readonly string[];
  /** Negative for a certificate that has expired. Default 1. */
  readonly validDays?: number;
}

/** A certificate and its private key, as PEM files. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** An authority of one suite that signs certificates. */
export interface TestAuthority {
  /** File with its own certificate. */
  readonly certificate: string;
  issue(options: CertificateOptions): TestCertificate;
  dispose(): void;
}

/** Creates an authority with OpenSSL. Its files can be read by the users that servers run as. */
export function createTestAuthority(name = 'test authority'): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-certificates-'));
  chmodSync(folder, 0o755);
  const openssl = (...parameters: string[]): void => {
    execFileSync('openssl', parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const own = { certificate: join(folder, 'ca.crt'), key: join(folder, 'ca.key') };
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`, '-keyout', own.key, '-out', own.certificate);
  let count = 0;
  return {
    certificate: own.certificate,
    issue({ name: subject, hosts = [], validDays = 1 }) {
      count += 1;
      const file = (extension: string): string => join(folder, `${count}.${extension}`);
      const issued = { certificate: file('crt'), key: file('key') };
      openssl('req', ...newKey, '-subj', `/CN=${subject}`, '-keyout', issued.key, '-out', file('csr'));
      writeFileSync(file('ext'), hosts.length === 0 ? '' : `subjectAltName=${hosts.join(',')}\n`);
      const authority = ['-CA', own.certificate, '-CAkey', own.key, '-set_serial', String(count)];
      const validity = ['-days', String(validDays), '-extfile', file('ext')];
      openssl('x509', '-req', '-in', file('csr'), ...authority, ...validity, '-out', issued.certificate);
      return issued;
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Replaces the files of a certificate by those of another one, as a renewal does. */
export function replaceCertificate(target: TestCertificate, source: TestCertificate): void {
  writeFileSync(target.certificate, readFileSync(source.certificate));
  writeFileSync(target.key, readFileSync(source.key));
}
