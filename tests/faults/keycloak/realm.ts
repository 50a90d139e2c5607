/** Where Keycloak finds Lintel: the addresses below the login page of the two providers. */
export interface RealmAddresses {
  readonly openId: string;
  readonly saml: string;
}

export const REALM = 'acme';
export const CLIENT = { id: 'lintel', secret: 'secret of lintel at keycloak' };

/** Users of the realm; the password is the name. */
const USERS = ['grace', 'joan', 'radia', 'barbara', 'hedy', 'lise', 'emmy', 'rosa', 'ada'];

const GROUPS = {
  name: 'groups',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true', 'access.token.claim': 'true' },
};

/** The realm as the guide describes it (docs/guide/identity.md). */
export const realmOf = ({ openId, saml }: RealmAddresses) => ({
  realm: REALM,
  enabled: true,
  sslRequired: 'none',
  groups: [{ name: 'sales' }, { name: 'staff' }],
  users: USERS.map((username) => ({
    username,
    enabled: true,
    email: `${username}@acme.example`,
    emailVerified: true,
    firstName: username,
    lastName: 'Example',
    credentials: [{ type: 'password', value: username }],
    groups: ['/sales', '/staff'],
  })),
  clients: [
    {
      clientId: CLIENT.id,
      secret: CLIENT.secret,
      redirectUris: [`${openId}/callback`],
      frontchannelLogout: false,
      attributes: { 'backchannel.logout.url': `${openId}/logout`, 'backchannel.logout.session.required': 'true' },
      protocolMappers: [GROUPS],
    },
    {
      clientId: 'app',
      publicClient: true,
      directAccessGrantsEnabled: true,
      protocolMappers: [
        GROUPS,
        {
          name: 'audience',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-audience-mapper',
          config: { 'included.client.audience': CLIENT.id, 'access.token.claim': 'true' },
        },
      ],
    },
    {
      clientId: `${saml}/metadata`,
      protocol: 'saml',
      redirectUris: [`${saml}/acs`],
      frontchannelLogout: false,
      attributes: {
        'saml.assertion.signature': 'true',
        'saml.authnstatement': 'true',
        'saml.server.signature': 'true',
        'saml.client.signature': 'false',
        'saml.signature.algorithm': 'RSA_SHA256',
        saml_name_id_format: 'username',
        saml_force_name_id_format: 'true',
        saml_single_logout_service_url_post: `${saml}/single-logout`,
      },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'saml',
          protocolMapper: 'saml-group-membership-mapper',
          // An attribute of its own for each group.
          config: { 'attribute.name': 'groups', 'full.path': 'false', single: 'false' },
        },
      ],
    },
  ],
});
