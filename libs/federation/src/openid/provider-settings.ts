import { booleanValue, choiceValue, listValue, textValue } from '@lintel/config';
import { z } from 'zod';
import { IDENTITY_DESCRIPTIONS, IDENTITY_MEMBERS } from '../identity/identity-settings.ts';

const CLIENT_AUTHENTICATIONS = ['client_secret_post', 'client_secret_basic', 'none'] as const;

/** Members of `svc.auth.provider.<name>`. */
export const openIdProviderSchema = z.object({
  issuer: textValue().refine((text) => URL.canParse(text), 'expected the URL of the issuer'),
  'client-id': textValue(),
  'client-secret': textValue().optional(),
  'client-authentication': choiceValue(CLIENT_AUTHENTICATIONS).default('client_secret_post'),
  title: textValue().optional(),
  scopes: listValue()
    .refine((scopes) => scopes.includes('openid'), 'expected a list with openid')
    .default(['openid', 'profile', 'email']),
  'user-info': booleanValue().default(false),
  ...IDENTITY_MEMBERS,
});

export type OpenIdProviderSettings = z.infer<typeof openIdProviderSchema>;

/** Descriptions of the members for the reference of the properties. */
export const OPEN_ID_MEMBERS: Readonly<Record<keyof OpenIdProviderSettings, string>> = {
  issuer: 'Issuer of an OpenID provider, or entity id of a SAML provider',
  'client-id': 'Id of the client that is registered at the provider for Lintel; SAML: entity id of Lintel',
  'client-secret': 'Its secret',
  'client-authentication': 'How Lintel authenticates at the provider',
  title: 'Name of the provider on the button; else the name in the property',
  scopes: 'Scopes to request; `offline_access` for the refresh tokens by which logins are checked',
  'user-info': 'Whether claims are also read from the endpoint userinfo',
  ...IDENTITY_DESCRIPTIONS,
};
