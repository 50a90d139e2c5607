import { choiceValue, textValue } from '@lintel/config';
import { z } from 'zod';
import { OPEN_ID_MEMBERS, type OpenIdProviderSettings, openIdProviderSchema } from './openid/provider-settings.ts';
import { SAML_MEMBERS, SAML_SETTINGS, samlProblems } from './saml/saml-settings.ts';

const KINDS = ['openid', 'saml'] as const;

/** Members of `svc.auth.provider.<name>`. */
export const providerSchema = z
  .object({
    kind: choiceValue(KINDS).default('openid'),
    ...openIdProviderSchema.shape,
    'client-id': textValue().optional(),
    ...SAML_SETTINGS,
  })
  .superRefine((settings, context) => {
    const refuse = (member: string, message: string) => context.addIssue({ code: 'custom', path: [member], message });
    if (settings.kind === 'openid') {
      if (settings['client-id'] === undefined) refuse('client-id', 'is required');
      for (const member of Object.keys(SAML_SETTINGS) as (keyof typeof SAML_SETTINGS)[])
        if (settings[member] !== undefined) refuse(member, 'only providers with kind=saml have it');
      return;
    }
    if (settings['client-secret'] !== undefined) refuse('client-secret', 'providers with kind=saml have none');
    for (const [member, message] of samlProblems(settings)) refuse(member, message);
  });

export type ProviderSettings = Readonly<z.infer<typeof providerSchema>>;

/** Descriptions of the members for the reference of the properties. */
export const PROVIDER_MEMBERS: Readonly<Record<keyof ProviderSettings, string>> = {
  kind: 'Protocol of the provider: OpenID Connect or SAML 2.0',
  ...OPEN_ID_MEMBERS,
  ...SAML_MEMBERS,
};

export const isOpenId = (settings: ProviderSettings): settings is ProviderSettings & OpenIdProviderSettings =>
  settings.kind === 'openid' && settings['client-id'] !== undefined;
