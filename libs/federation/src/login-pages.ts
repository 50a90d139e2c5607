import type { Request, Response } from 'express';
import type { ProviderFailureKind } from './providers/provider-failure.ts';

/** A browser that is at the page of a login. Every method sends the response. */
export interface LoginVisit {
  readonly id: string;
  readonly clientId: string;
  /** Goes on after the first factor: to the client, or to the page of the second factor. */
  accept(login: { readonly username: string; readonly loginId: string; readonly provider: string }): Promise<void>;
  /** Shows the page of the login again. */
  refuse(kind: ProviderFailureKind): Promise<void>;
}

/** The pages of the service, where logins at providers begin and end. */
export interface LoginPages {
  /** Serves a request that belongs to a page; visits are found only within it. */
  serve(request: Pick<Request, 'query'>, work: () => Promise<void>): Promise<void>;
  /** The visit of the browser, if the request is of the link that its page has. */
  visitOfLink(request: Request, response: Response): Promise<LoginVisit | undefined>;
  /** The visit of the browser, wherever the request comes from. */
  visitOf(request: Request, response: Response): Promise<LoginVisit | undefined>;
  showExpired(request: Request, response: Response, status?: number): void;
  showLoggedOut(request: Request, response: Response): void;
  redirect(response: Response, address: string): void;
  /** @throws PlatformError for a form that is too large or too slow */
  receiveForm(request: Request, maxBytes: number): Promise<URLSearchParams>;
}
