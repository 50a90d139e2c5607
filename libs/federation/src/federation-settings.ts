import { booleanValue, type SettingsOf, setting, settingMap } from '@lintel/config';
import { DIRECTORY_MEMBERS, directorySchema } from './ldap/directory-settings.ts';
import { PROVIDER_MEMBERS, providerSchema } from './provider-settings.ts';
import { resourceServerSettings } from './resource-server/resource-server-settings.ts';

/** Settings of identity providers, directories, and of the issuer whose tokens are accepted. */
export const federationSettings = {
  resourceServer: resourceServerSettings,
  /** Age after which a login in use is checked at its provider: a user who left is out within minutes, and providers get few requests. */
  checkIntervalMs: 300_000,
  /** Longest wait for a connection to a directory, and for each of its responses: a user waits for a login. */
  directoryTimeoutMs: 5_000,
  passwordLogin: setting(
    'svc.auth.password-login',
    booleanValue().default(true),
    'Whether users log in with a name and a password; otherwise at an identity provider only',
  ),
  directories: settingMap('svc.auth.directory', directorySchema, 'LDAP directories', {
    secretMembers: ['bind-password'],
    memberDescriptions: DIRECTORY_MEMBERS,
  }),
  providers: settingMap('svc.auth.provider', providerSchema, 'OpenID and SAML providers', {
    secretMembers: ['client-secret', 'signing-key'],
    memberDescriptions: PROVIDER_MEMBERS,
  }),
};

export type FederationConfig = SettingsOf<typeof federationSettings>;
