export { type AuthenticateOptions, authenticate, identifyCaller } from './authentication/authenticate.ts';
export { type PresentedToken, presentedToken } from './authentication/dpop/presented-token.ts';
export { createProofCheck, PROOF_MEMORY_SECONDS, type ProofCheck } from './authentication/dpop/proof-check.ts';
export { PROOF_ALGORITHMS, verifyProof } from './authentication/dpop/verify-proof.ts';
export { hasBearerSecret } from './authentication/has-bearer-secret.ts';
export { isSufficient } from './authentication/is-sufficient.ts';
export { isVerifyingKey } from './authentication/is-verifying-key.ts';
export { principalOfSession } from './authentication/principal-of-session.ts';
export { createStepUp } from './authentication/step-up.ts';
export { createTokenVerifier, type RemoteTokenVerifier, type TokenVerifier } from './authentication/token-verifier.ts';
export { verifyJwt } from './authentication/verify-jwt.ts';
export { createSecretComparison, isSameSecret } from './compare-secrets.ts';
export { type DocumentRequest, OPENAPI_VERSIONS, type OpenApiVersion } from './documents/document-request.ts';
export type { DocumentTexts } from './documents/document-texts.ts';
export { type DocumentVersions, documentVersions } from './documents/document-versions.ts';
export { serveDocument } from './documents/serve-document.ts';
export { whenClosing } from './health/draining.ts';
export { type CheckOutcome, checkReadiness, type Readiness } from './health/readiness.ts';
export { safeReason } from './health/safe-reason.ts';
export { clientAddressOf } from './requests/addresses/client-address.ts';
export { createAddressList } from './requests/addresses/create-address-list.ts';
export {
  FORWARDING_PROOF_HEADER,
  forwardingProofOf,
  removeForwardingHeaders,
} from './requests/addresses/forwarding-proof.ts';
export { networkOf } from './requests/addresses/network-of.ts';
export { awaitsContinue, continueWhenRead } from './requests/body/await-continue.ts';
export { drainRequest } from './requests/body/drain-request.ts';
export { readBody } from './requests/body/read-body.ts';
export { receiveJson } from './requests/body/receive-json.ts';
export { bearerToken } from './requests/context/bearer-token.ts';
export { contextOf, disconnectSignal } from './requests/context/request-context.ts';
export { principalOf, setRouteTemplate, setSessionId } from './requests/context/request-state.ts';
export { acceptedType } from './requests/negotiation/accepted-type.ts';
export { accepts } from './requests/negotiation/accepts.ts';
export { chooseLocale, requestedLocale } from './requests/negotiation/choose-locale.ts';
export { countRefusals } from './requests/observing/count-refusals.ts';
export { receiveChangeReason } from './requests/parameters/change-reason.ts';
export { checkParameters } from './requests/parameters/check-parameters.ts';
export { pathParameter } from './requests/parameters/path-parameter.ts';
export { applyPreference, preferencesOf } from './requests/parameters/preferences.ts';
export { queryOf } from './requests/parameters/query-of.ts';
export { isRehearsal, refuseRehearsal } from './requests/parameters/rehearsal.ts';
export { singleValue } from './requests/parameters/single-value.ts';
export {
  handleUnknown,
  handleUnknownInside,
  handlingFor,
  type UnknownMembers,
  unknownMembersOf,
  unknownParameters,
} from './requests/parameters/unknown-members.ts';
export type { RequestCheck, Route, RoutedRequest, RouteHandler } from './requests/routed-request.ts';
export { isHost } from './requests/urls/is-host.ts';
export { pathOf } from './requests/urls/path-of.ts';
export { publicUrlOf } from './requests/urls/public-url.ts';
export { announceDeprecation } from './responses/announce-deprecation.ts';
export { cutResponse } from './responses/cut-response.ts';
export { forbidCaching } from './responses/forbid-caching.ts';
export { LINTEL_VERSION } from './responses/lintel-version.ts';
export { matchesEntityTag } from './responses/matches-entity-tag.ts';
export { PROBLEM_TYPE, PROBLEMS_PATH } from './responses/problem-details.ts';
export { respondTagged } from './responses/respond-tagged.ts';
export {
  challengeOf,
  DESCRIPTION_EXPIRED,
  DESCRIPTION_INVALID,
  DESCRIPTION_UNAUTHORIZED,
  sendError,
  sendJson,
  sendJsonText,
  sendText,
  toPlatformError,
} from './responses/send-error.ts';
export { sendStream } from './responses/send-stream.ts';
export { type TaggedText, tagged, taggedText } from './responses/tagged-text.ts';
export { isUsualAccept, requireAcceptable, requireJsonAcceptable } from './routes/require-json-acceptable.ts';
export { createRouteFinder } from './routes/route-finder.ts';
export { addRoutes, toMiddleware } from './routes/to-middleware.ts';
export { type ExpressMount, fromExpress } from './server/from-express.ts';
export { type ListenOptions, listen, type RunningServer, type TlsSource } from './server/listen.ts';
export { type OpenListenersOptions, openListeners } from './server/open-listeners.ts';
export { allowOf, methodNotAllowed, refuseMethod } from './server/refuse-method.ts';
export { runUntilSignal } from './server/run-until-signal.ts';
export {
  createRouter,
  createServiceApp,
  createServiceListener,
  type DirectHandler,
  type Step,
} from './server/service-app.ts';
export { startManagementListener } from './server/start-management-listener.ts';
export { FairQueue, type OperationKind, type Slot } from './shares/fair-queue.ts';
export type { FairQueueOptions } from './shares/fair-queue-options.ts';
export { shareCallerOf } from './shares/share-caller.ts';
