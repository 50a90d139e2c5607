import { type ServiceProcesses, startServiceProcesses } from '../../faults/service-processes.ts';
import { startWebApplication, type WebApplication } from './web-application.ts';

type Properties = Readonly<Record<string, string>>;

const ROBOT = { id: 'robot', secret: 'secret of the robot' };

/** The five processes with an application that is a client of theirs. */
export interface IdentitySystem {
  readonly issuer: string;
  readonly application: WebApplication;
  /** Creates a user whose password is `passwordOf` the name, as an administrator does. */
  createUser(username: string, attributes?: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
}

export const passwordOf = (username: string): string => `password of ${username}`;

/** The properties of one name, such as `svc.auth.provider.acme`, from those of its members. */
export const below = (prefix: string, members: Properties): Properties =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, value]));

const variablesOf = (properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name.toUpperCase().replaceAll(/[.-]/g, '_'), value]),
  );

/**
 * Starts the system at `localhost`, since passkeys need a name.
 *
 * @param propertiesAt of the system at an address
 */
export async function startIdentitySystem(
  propertiesAt: (issuer: string) => Properties = () => ({}),
): Promise<IdentitySystem> {
  const application = await startWebApplication();
  let issuer = '';
  let processes: ServiceProcesses<'auth' | 'data' | 'files' | 'gateway' | 'reports'> | undefined;
  const stop = async (): Promise<void> => {
    await processes?.dispose();
    await application.close();
  };
  try {
    processes = await startServiceProcesses(['auth', 'data', 'files', 'gateway', 'reports'], (gatewayUrl) => {
      issuer = gatewayUrl.replace('127.0.0.1', 'localhost');
      return variablesOf({
        'svc.authserver.issuer': issuer,
        'svc.authserver.backchannel-logout-allowed-networks': '127.0.0.1',
        ...below('svc.authserver.client.shop', application.properties),
        ...below('svc.authserver.client.robot', {
          'client-id': ROBOT.id,
          'client-secret': ROBOT.secret,
          'resource-roles': 'system-full-access',
        }),
        ...propertiesAt(issuer),
      });
    });
    await application.connect(issuer);
  } catch (error) {
    await stop();
    throw error;
  }
  return { issuer, application, createUser: (username, attributes) => createUser(issuer, username, attributes), stop };
}

async function createUser(issuer: string, username: string, attributes: object = {}): Promise<void> {
  const basic = Buffer.from(`${ROBOT.id}:${ROBOT.secret}`).toString('base64');
  const login = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  const response = await fetch(`${issuer}/rest/entities/sec_User`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: passwordOf(username), ...attributes }),
  });
  if (response.status !== 201) throw new Error(`no user ${username}: ${response.status} ${await response.text()}`);
  await response.body?.cancel();
}
