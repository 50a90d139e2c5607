import { booleanValue, choiceValue, roleTableValue, ruledSettings, setting, textValue } from '@lintel/config';

const MIN_TOKEN_LENGTH = 32;

const tokenValue = () =>
  textValue()
    .refine((text) => text.length >= MIN_TOKEN_LENGTH, `expected at least ${MIN_TOKEN_LENGTH} characters`)
    .refine((text) => /^[\x21-\x7e]+$/.test(text), 'expected visible ASCII characters')
    .optional();

/** Settings `svc.scim.*` of auth: users and groups that an identity provider manages. */
export const scimSettings = ruledSettings(
  {
    token: setting(
      'svc.scim.token',
      tokenValue(),
      'Token, of at least 32 characters, of requests to `/scim/v2`; without it SCIM is off',
      { secret: true },
    ),
    formerToken: setting(
      'svc.scim.former-token',
      tokenValue(),
      'A second token that is also accepted, while the provider changes to the new one',
      { secret: true },
    ),
    linkExistingUsers: setting(
      'svc.scim.link-existing-users',
      booleanValue().default(false),
      'Whether SCIM also sees and changes users that it did not create',
    ),
    deletion: setting(
      'svc.scim.delete',
      choiceValue(['deactivate', 'remove']).default('deactivate'),
      'What DELETE of a user does: `deactivate` disables the user, `remove` removes the user with all roles',
    ),
    /** Maximum number of users or groups in one list; providers read it at `/ServiceProviderConfig`, and page. */
    maxResults: 200,
    resourceRoles: setting(
      'svc.scim.resource-roles',
      roleTableValue(),
      'Resource roles of groups of SCIM: a list of `group=role`, where `*` stands for every user of SCIM',
    ),
    rowLevelRoles: setting('svc.scim.row-level-roles', roleTableValue(), 'Row-level roles of groups of SCIM, as above'),
  },
  ({ token, formerToken }) => ({
    problems: token === undefined && formerToken !== undefined ? ['svc.scim.former-token: needs svc.scim.token'] : [],
  }),
);
