export { type AuthenticateOptions, authenticate } from './authenticate.ts';
export { bearerToken } from './bearer-token.ts';
export { bearsSecret } from './bears-secret.ts';
export { createReplicaCaller, type ReplicaCall } from './call-replicas.ts';
export { askedLocale, chooseLocale } from './choose-locale.ts';
export { discardRest } from './discard-rest.ts';
export { type ExpressMount, fromExpress } from './from-express.ts';
export { listenForOperators, type ManagementOptions } from './health/listen-for-operators.ts';
export type { Readiness } from './health/readiness.ts';
export { type ListenOptions, listen, type RunningServer, type TlsSource } from './listen.ts';
export { matchesEntityTag } from './matches-entity-tag.ts';
export { preferencesOf } from './preferences.ts';
export { principalOfSession } from './principal-of-session.ts';
export { readBody } from './read-body.ts';
export { allowOf, methodNotAllowed, refuseMethod } from './refuse-method.ts';
export { contextOf, disconnectSignal, type RequestContext } from './request-context.ts';
export { principalOf, setRouteTemplate, setSessionId, traceOf } from './request-state.ts';
export { type RunUntilSignalOptions, runUntilSignal } from './run-until-signal.ts';
export {
  DESCRIPTION_EXPIRED,
  DESCRIPTION_INVALID,
  DESCRIPTION_UNAUTHORIZED,
  sendError,
  sendJson,
  sendJsonText,
  toPlatformError,
} from './send-error.ts';
export { createRouter, createServiceApp, type ServiceAppOptions } from './service-app.ts';
export { type DocumentTexts, documentTexts } from './texts/document-texts.ts';
export { respondTagged } from './texts/respond-tagged.ts';
export { serveDocument } from './texts/serve-document.ts';
export { type TaggedText, tagged, taggedText } from './texts/tagged-text.ts';
export {
  createTokenVerifier,
  type RemoteTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './token-verifier.ts';
export { WaitingLine } from './waiting-line.ts';
