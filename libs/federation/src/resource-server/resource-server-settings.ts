import {
  choiceListValue,
  listValue,
  resourceServerIssuerSetting,
  ruledSettings,
  type SettingsOf,
  setting,
  textValue,
  urlValue,
} from '@lintel/config';
import { isAcr } from '@lintel/contracts';
import { IDENTITY_DESCRIPTIONS, IDENTITY_MEMBERS } from '../identity/identity-settings.ts';
import { readAcrItem } from './external-authentication.ts';

const member = <K extends keyof typeof IDENTITY_MEMBERS>(name: K) =>
  setting<ReturnType<(typeof IDENTITY_MEMBERS)[K]['parse']>>(
    `svc.resource-server.${name}`,
    IDENTITY_MEMBERS[name] as never,
    IDENTITY_DESCRIPTIONS[name],
  );

/** Settings `svc.resource-server.*` of auth: the issuer whose access tokens are accepted directly. */
export const resourceServerSettings = ruledSettings(
  {
    issuer: resourceServerIssuerSetting,
    audience: setting(
      'svc.resource-server.audience',
      listValue().default([]),
      'Audiences of which an access token of the issuer needs one; required with the issuer',
    ),
    jwksUrl: setting(
      'svc.resource-server.jwks-url',
      urlValue().optional(),
      'Keys of the issuer; without it they are found by discovery',
    ),
    /** Difference between the clocks of the issuer and of auth; more is a clock that is not synchronized. */
    clockToleranceMs: 30_000,
    acrClaim: setting(
      'svc.resource-server.acr-claim',
      textValue().default('acr'),
      'Claim that says how strongly the issuer has authenticated the user; a path such as `a.b` leads into objects',
    ),
    acrValues: setting(
      'svc.resource-server.acr-values',
      listValue()
        .refine(
          (items) => items.every((item) => readAcrItem(item).value !== '' && isAcr(readAcrItem(item).acr)),
          'expected items such as gold=urn:lintel:acr:2fa',
        )
        .describe('a list of `value=urn:lintel:acr:2fa` or `…:1fa`; the value `*` stands for all tokens')
        .default([]),
      'What the values of this claim mean for step-up. Values of Lintel need no item',
    ),
    rules: {
      'user-claim': member('user-claim'),
      'first-login': setting(
        'svc.resource-server.first-login',
        choiceListValue(['link', 'create']).default(['link']),
        IDENTITY_DESCRIPTIONS['first-login'],
      ),
      domains: member('domains'),
      'required-claims': member('required-claims'),
      'groups-claim': member('groups-claim'),
      'resource-roles': member('resource-roles'),
      'row-level-roles': member('row-level-roles'),
    },
  },
  ({ issuer, audience }) => ({
    problems: [
      ...(issuer !== undefined && !URL.canParse(issuer)
        ? ['svc.resource-server.issuer: expected an http or https URL, exactly as in the tokens']
        : []),
      ...(issuer !== undefined && audience.length === 0
        ? [
            'svc.resource-server.audience: is required with svc.resource-server.issuer; tokens for others would be accepted',
          ]
        : []),
    ],
  }),
);

export type ResourceServerConfig = SettingsOf<typeof resourceServerSettings>;
