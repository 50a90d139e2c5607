/** Identity providers, honest and hostile, for the tests of services that users log in to with them. */
export { EXTERNAL_AUDIENCE, type ExternalIssuer, startExternalIssuer } from './external-issuer.ts';
export {
  type HostileProvider,
  type Hostility,
  PROVIDER_CLIENT,
  PROVIDER_SECRET,
  startHostileProvider,
} from './hostile-provider.ts';
export {
  requestXml,
  type SamlHostility,
  type SamlIdentityProvider,
  SP_BASE,
  startSamlIdentityProvider,
} from './saml-identity-provider.ts';
