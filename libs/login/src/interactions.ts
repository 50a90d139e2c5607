import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Acr } from '@lintel/contracts';
import type { Request } from 'express';

/** The reason why a browser was sent to the login page. */
export interface Interaction {
  readonly id: string;
  /** The current step of the user. */
  readonly step: 'login' | 'consent';
  readonly clientId: string;
  /** Name of the client on the page. */
  readonly clientName: string;
  /** Where the user goes on: the host of the redirect address, or the scheme of an application. */
  readonly clientHost: string;
  /** Whether the client asks for consent; for others the page of the step `consent` only names the client. */
  readonly needsConsent: boolean;
  readonly scopes: readonly string[];
  /** The final redirect of the browser. */
  readonly redirectUri: string;
  /** The URL of its page. */
  readonly pageAddress: string;
  /** `acr_values` of the request. */
  readonly acrValues: readonly string[];
  /** The user who is logged in, whose consent is asked for. */
  readonly username?: string | undefined;
  /** The login of the browser, if only its second factor is missing. */
  readonly loggedIn?: { readonly username: string; readonly methods: readonly string[] } | undefined;
}

/** The valid login of a browser. */
export interface BrowserLogin {
  readonly uid: string;
  readonly username: string;
  readonly acr: string | undefined;
  /** Seconds since the epoch. */
  readonly authTime: number | undefined;
}

/** A user who has passed all factors that the login needs. */
export interface AcceptedLogin {
  readonly username: string;
  /** Id of a login at an identity provider. */
  readonly loginId?: string | undefined;
  readonly acr: Acr;
  readonly amr: readonly string[];
  /** Whether the second factor was added to a login of the browser, which goes on. */
  readonly isStepUp: boolean;
}

/** The interactions of authorization requests, found by the cookie of the browser. Results are URLs to redirect to. */
export interface Interactions {
  /** Serves a request to a page; the other methods find an interaction only within it. */
  serve(request: Pick<Request, 'query'>, work: () => Promise<void>): Promise<void>;
  /** @returns undefined if there is no interaction, or it has ended */
  find(request: IncomingMessage, response: ServerResponse): Promise<Interaction | undefined>;
  acceptLogin(request: IncomingMessage, response: ServerResponse, login: AcceptedLogin): Promise<string>;
  acceptConsent(request: IncomingMessage, response: ServerResponse): Promise<string>;
  /** The login of the browser, independently of an interaction; undefined if there is none, or it has ended. */
  browserLogin(request: IncomingMessage, response: ServerResponse): Promise<BrowserLogin | undefined>;
  deny(request: IncomingMessage, response: ServerResponse): Promise<string>;
}
