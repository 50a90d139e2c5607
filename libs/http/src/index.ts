export { type DocumentTexts, documentTexts } from './answers/document-texts.ts';
export { matchesEntityTag } from './answers/matches-entity-tag.ts';
export { respondTagged } from './answers/respond-tagged.ts';
export {
  DESCRIPTION_EXPIRED,
  DESCRIPTION_INVALID,
  DESCRIPTION_UNAUTHORIZED,
  sendError,
  sendJson,
  sendJsonText,
  toPlatformError,
} from './answers/send-error.ts';
export { serveDocument } from './answers/serve-document.ts';
export { type TaggedText, tagged, taggedText } from './answers/tagged-text.ts';
export { type AuthenticateOptions, authenticate } from './authentication/authenticate.ts';
export { bearerToken } from './authentication/bearer-token.ts';
export { bearsSecret } from './authentication/bears-secret.ts';
export { principalOfSession } from './authentication/principal-of-session.ts';
export {
  createTokenVerifier,
  type RemoteTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './authentication/token-verifier.ts';
export { listenForOperators, type ManagementOptions } from './health/listen-for-operators.ts';
export type { CheckAnswer, Readiness } from './health/readiness.ts';
export { createAddressList } from './outside/create-address-list.ts';
export { isPrivateAddress } from './outside/private-addresses.ts';
export { AddressRefusedError, publicLookup } from './outside/public-lookup.ts';
export { createReplicaCaller, type ReplicaCall } from './replicas/call-replicas.ts';
export { WaitingLine } from './replicas/waiting-line.ts';
export { askedLocale, chooseLocale } from './requests/choose-locale.ts';
export { discardRest } from './requests/discard-rest.ts';
export { preferencesOf } from './requests/preferences.ts';
export { readBody } from './requests/read-body.ts';
export { contextOf, disconnectSignal, type RequestContext } from './requests/request-context.ts';
export { principalOf, setRouteTemplate, setSessionId, traceOf } from './requests/request-state.ts';
export { whenClosing } from './server/draining.ts';
export { type ExpressMount, fromExpress } from './server/from-express.ts';
export { type ListenOptions, listen, type RunningServer, type TlsSource } from './server/listen.ts';
export { type Listeners, type OpenListenersOptions, openListeners, type ServedApp } from './server/open-listeners.ts';
export { allowOf, methodNotAllowed, refuseMethod } from './server/refuse-method.ts';
export { type RunUntilSignalOptions, runUntilSignal } from './server/run-until-signal.ts';
export { createRouter, createServiceApp, type ServiceAppOptions } from './server/service-app.ts';
