import type { ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import type { TraceContext } from '@lintel/telemetry';

/** State that this package keeps for a request, by its response; freed with the response. */
interface RequestState {
  trace?: TraceContext;
  principal?: Principal;
  /** Route template for log and metrics if Express has none (proxied requests). */
  routeTemplate?: string;
  /** Session of the caller for the access log; set by the gateway, which has no principal. */
  sessionId?: string;
}

const STATE = Symbol('lintel request state');

interface ResponseWithState extends ServerResponse {
  [STATE]?: RequestState;
}

function stateOf(response: ResponseWithState): RequestState {
  response[STATE] ??= {};
  return response[STATE];
}

/** The trace of a request; undefined before it was set. */
export const traceOf = (response: ServerResponse): TraceContext | undefined => stateOf(response).trace;
export const setTrace = (response: ServerResponse, trace: TraceContext): void => {
  stateOf(response).trace = trace;
};

/** The caller, once `authenticate` has run. */
export const principalOf = (response: ServerResponse): Principal | undefined => stateOf(response).principal;
export const setPrincipal = (response: ServerResponse, principal: Principal): void => {
  stateOf(response).principal = principal;
};

export const routeTemplateOf = (response: ServerResponse): string | undefined => stateOf(response).routeTemplate;
/** Names the route for the access log; for handlers that no Express route template describes. */
export const setRouteTemplate = (response: ServerResponse, template: string): void => {
  stateOf(response).routeTemplate = template;
};

/** The id of the session: random, so that it does not identify the user to readers without access to sessions. */
export const sessionIdOf = (response: ServerResponse): string | undefined =>
  stateOf(response).principal?.sessionId ?? stateOf(response).sessionId;
/** Sets the session for the access log where there is no principal. */
export const setSessionId = (response: ServerResponse, sessionId: string): void => {
  stateOf(response).sessionId = sessionId;
};
