import type { Application } from '@lintel/application';
import {
  type ConnectionConfig,
  connectionSettings,
  defineSettings,
  isStrict as isStrictConfig,
  platformSettings,
  readConfiguration,
  setting,
  textValue,
} from '@lintel/config';
import { environment } from '@lintel/config/environment';
import { settings as gatewaySettings } from '@lintel/gateway/settings';
import type { LogLevel } from '@lintel/telemetry';
import { banner } from './banner.ts';
import { demoRequests, demoUsers } from './demo-requests.ts';
import { TOKEN_KEY_PROPERTY } from './secrets.ts';
import { standaloneDefaults } from './standalone-properties.ts';
import type { RunningServices, StartOptions } from './start-services.ts';

const shape = defineSettings({
  host: gatewaySettings.host,
  port: gatewaySettings.port,
  certificateFile: gatewaySettings.tls.certificateFile,
  databaseUrl: setting('svc.datasource.url', textValue().optional(), 'PostgreSQL URL', { secret: true }),
  connection: connectionSettings,
  logLevel: platformSettings.logLevel,
  isProduction: platformSettings.isProduction,
  securityProfile: platformSettings.securityProfile,
});

/** What the process itself needs of the configuration, before the services start. */
export interface OwnConfiguration {
  readonly host: string;
  readonly port: number;
  /** Whether the gateway has a certificate. */
  readonly isEncrypted: boolean;
  /** Value of `svc.datasource.url`. */
  readonly databaseUrl: string | undefined;
  readonly connection: ConnectionConfig;
  readonly logLevel: LogLevel;
  /** Production, or the hardened profile: published secrets and demo users are refused. */
  readonly isStrict: boolean;
}

/** Loads the application and reads its configuration. @throws ConfigurationError listing every problem */
export async function readOwnConfiguration(): Promise<OwnConfiguration> {
  const { config } = await readConfiguration<typeof shape, Application>(shape, {
    defaults: standaloneDefaults({ port: environment()['PORT'] }),
  });
  const { certificateFile, ...rest } = config;
  return { ...rest, isEncrypted: certificateFile !== undefined, isStrict: isStrictConfig(rest) };
}

/** Address of the gateway for clients of this machine. */
export const urlOf = ({ port, isEncrypted }: Pick<OwnConfiguration, 'port' | 'isEncrypted'>): string =>
  `${isEncrypted ? 'https' : 'http'}://localhost:${port}`;

/** The options of the start that follow from the database and the address. */
export function startOptions(given: {
  readonly databaseUrl: string;
  /** Whether this process, or its development server, has started the database. */
  readonly isOwn: boolean;
  /** Secrets of the home folder, as properties. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly home: string;
  /** Address for clients. */
  readonly url: string;
  readonly port: number;
  readonly isStrict: boolean;
}): Omit<StartOptions, 'logger' | 'onProgress'> {
  const { databaseUrl, isOwn, home, url, port, isStrict } = given;
  const { [TOKEN_KEY_PROPERTY]: tokenKey = '', ...secrets } = given.secrets;
  return {
    databaseUrl,
    ownsDatabase: isOwn,
    home,
    // Other processes may use a configured database: they need the same secrets, which can be configured.
    properties: isOwn ? secrets : {},
    defaults: {
      ...standaloneDefaults({ port: String(port), publicUrl: url, ownsDatabase: isOwn, isStrict }),
      ...(isOwn ? {} : secrets),
      ...(!isStrict && { [TOKEN_KEY_PROPERTY]: tokenKey }),
    },
  };
}

/** What is printed when the services have started. */
export function announcement(
  { application, isDemo, passwordClient, managementUrl, paths, consolePath }: RunningServices,
  url: string,
  database: string,
): string {
  const requests = isDemo && passwordClient !== undefined ? demoRequests(application, passwordClient, url, paths) : [];
  return banner({
    url,
    paths,
    consolePath,
    managementUrl,
    database,
    application: application.name,
    users: isDemo ? demoUsers(application) : [],
    requests,
  });
}
