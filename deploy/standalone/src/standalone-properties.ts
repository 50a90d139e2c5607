import { INSECURITIES, PUBLISHED } from '@lintel/config';
import { SECRET_PROPERTIES } from './secrets.ts';

const DEFAULT_PORT = '8080';

export interface StandaloneDefaults {
  /** The variable `PORT`. */
  readonly port?: string | undefined;
  readonly publicUrl?: string;
  /** Whether the process starts a database of its own; true by default. */
  readonly ownsDatabase?: boolean;
  /** Production, or the hardened profile. */
  readonly isStrict?: boolean;
}

/** Defaults of this mode, which replace those of the platform; files and the environment override them. */
export const standaloneDefaults = ({
  port = DEFAULT_PORT,
  publicUrl,
  ownsDatabase = true,
  isStrict = false,
}: StandaloneDefaults = {}): Readonly<Record<string, string>> => ({
  // The passwords of the demo users are public: only this machine may connect.
  'svc.gateway.host': '127.0.0.1',
  'svc.gateway.port': port,
  // Several instances may run at the same time; the address is printed.
  'svc.gateway.management-port': '0',
  ...(publicUrl !== undefined && { 'svc.authserver.issuer': publicUrl }),
  // A configured database may be in use: users whose passwords are known must not appear in it by themselves.
  'svc.demo.enabled': String(ownsDatabase),
  // A page for the users of this machine, or of the server, and the explorer; both need a login.
  'svc.console.enabled': 'true',
  // Accepted in this mode at all addresses, and logged. An empty list refuses them.
  'svc.security.allow-insecure': INSECURITIES.filter((each) => !isStrict || !PUBLISHED.includes(each)).join(','),
  // Without access logs, so that users see the important lines.
  'svc.log.level': 'warn',
});

/** Values in place of the secrets of the home folder, which the start uses where none are configured. */
export const homeSecrets: Readonly<Record<string, string>> = Object.fromEntries(
  SECRET_PROPERTIES.map((name) => [name, 'kept in the home folder, and shown nowhere']),
);

/**
 * Properties that are set at the start and override all others, in their final form: port 0 stands for a free port, and
 * the secrets are those of the home folder. With a configured database they can be configured, too.
 */
export const decidedAtStart = ({
  ownsDatabase,
}: Required<Pick<StandaloneDefaults, 'ownsDatabase'>>): Readonly<Record<string, string>> => ({
  ...(ownsDatabase && {
    ...homeSecrets,
    'svc.datasource.url': 'postgres://lintel:secret@127.0.0.1:0/lintel',
  }),
  'svc.authserver.jwks-url': 'http://127.0.0.1:0/oauth2/jwks',
  'svc.authserver.internal-url': 'http://127.0.0.1:0',
  'svc.data.internal-url': 'http://127.0.0.1:0',
  'svc.files.internal-url': 'http://127.0.0.1:0',
  'svc.gateway.auth-url': 'http://127.0.0.1:0',
  'svc.gateway.data-url': 'http://127.0.0.1:0',
  'svc.gateway.files-url': 'http://127.0.0.1:0',
  'svc.gateway.reports-url': 'http://127.0.0.1:0',
});
