import { textValue } from '@lintel/config';
import { z } from 'zod';

/** Members of `svc.auth.provider.<name>` with `kind=saml` that OpenID providers do not have. */
export const SAML_SETTINGS = {
  'metadata-url': textValue()
    .refine((text) => URL.canParse(text), 'expected the URL of the metadata')
    .optional(),
  'metadata-file': textValue().optional(),
  'signing-key': textValue().optional(),
  'signing-certificate-file': textValue().optional(),
  'name-id-format': textValue().optional(),
};

const samlSchema = z.object(SAML_SETTINGS);

export type SamlSettings = Readonly<z.infer<typeof samlSchema>>;

/** Descriptions of the members for the reference of the properties. */
export const SAML_MEMBERS: Readonly<Record<keyof SamlSettings, string>> = {
  'metadata-url': 'SAML: URL of the metadata of the provider',
  'metadata-file': 'SAML: file with the metadata of the provider, instead of the URL',
  'signing-key': 'SAML: private key (PEM, RSA) that signs requests; without it they are not signed',
  'signing-certificate-file': 'SAML: file with the certificate (PEM) of that key, for the metadata of Lintel',
  'name-id-format': 'SAML: requested format of the name, which must not be transient; else the provider chooses',
};

/** What is missing or contradictory in the settings of a SAML provider: member and sentence. */
export function samlProblems(settings: SamlSettings): readonly (readonly [keyof SamlSettings, string])[] {
  const problems: (readonly [keyof SamlSettings, string])[] = [];
  if ((settings['metadata-url'] === undefined) === (settings['metadata-file'] === undefined))
    problems.push(['metadata-url', 'kind=saml needs either metadata-url or metadata-file']);
  if ((settings['signing-key'] === undefined) !== (settings['signing-certificate-file'] === undefined))
    problems.push(['signing-certificate-file', 'signing-key and signing-certificate-file belong together']);
  if (settings['name-id-format']?.endsWith(':transient') === true)
    problems.push(['name-id-format', 'a transient name does not identify a user']);
  return problems;
}
