import { INSECURITIES } from '@lintel/config';
import { SECRET_PROPERTIES } from './secrets.ts';

const DEFAULT_PORT = '8080';

/**
 * What this mode would rather have than the platform; files and the environment win.
 *
 * @param port the variable `PORT`
 */
export const standaloneDefaults = (
  port: string = DEFAULT_PORT,
  publicUrl?: string,
): Readonly<Record<string, string>> => ({
  // The passwords of the demo users are known to everybody: only this machine gets in.
  'svc.gateway.host': '127.0.0.1',
  'svc.gateway.port': port,
  // Several of them may run beside each other; the address is printed.
  'svc.gateway.management-port': '0',
  ...(publicUrl !== undefined && { 'svc.authserver.issuer': publicUrl }),
  'svc.demo.enabled': 'true',
  // Accepted in this mode wherever it listens, and logged then. An empty list refuses it.
  'svc.security.allow-insecure': INSECURITIES.join(','),
  // Quiet, so that what a person should read is not lost between access logs.
  'svc.log.level': 'warn',
});

/**
 * What the start decides itself, over everything else, in the form that it will have: port 0 stands for one
 * that is free then, and the secrets are those of the home folder.
 */
export const DECIDED_AT_START: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SECRET_PROPERTIES.map((name) => [name, 'kept in the home folder'])),
  'svc.datasource.url': 'postgres://lintel:secret@127.0.0.1:0/lintel',
  'svc.authserver.jwks-url': 'http://127.0.0.1:0/oauth2/jwks',
  'svc.authserver.internal-url': 'http://127.0.0.1:0',
  'svc.data.internal-url': 'http://127.0.0.1:0',
  'svc.files.internal-url': 'http://127.0.0.1:0',
  'svc.gateway.auth-url': 'http://127.0.0.1:0',
  'svc.gateway.data-url': 'http://127.0.0.1:0',
  'svc.gateway.files-url': 'http://127.0.0.1:0',
  'svc.gateway.reports-url': 'http://127.0.0.1:0',
};
