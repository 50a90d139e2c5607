import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TextCipher } from '../federation-ports.ts';

const NAME = 'lintel_provider';
const LIFE_SECONDS = 600;
/** Browsers accept cookies of 4,096 bytes, with name and attributes. */
const MAX_LENGTH = 3_800;

/** Keeps the state of a login at a provider in an encrypted cookie of the browser that began it. */
export interface LoginCookie<T extends object> {
  /** False if the state is too long for a cookie. */
  set(response: ServerResponse, state: T): boolean;
  /** The state, if the browser has one that is not older than ten minutes. */
  read(request: IncomingMessage): T | undefined;
  clear(response: ServerResponse): void;
}

export interface LoginCookieOptions {
  readonly cipher: TextCipher;
  /** Path of the routes that receive the cookie. */
  readonly path: string;
  readonly isSecure: boolean;
  /** `None` for responses that providers send as forms. */
  readonly sameSite: 'Lax' | 'None';
  readonly now: () => number;
}

export function createLoginCookie<T extends object>(options: LoginCookieOptions): LoginCookie<T> {
  const { cipher, path, isSecure, sameSite, now } = options;
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
  return {
    set(response, state) {
      const text = JSON.stringify({ state, until: now() + LIFE_SECONDS * 1000 });
      const value = cipher.encrypt(text, NAME).toString('base64url');
      if (value.length > MAX_LENGTH) return false;
      response.appendHeader('Set-Cookie', `${NAME}=${value}; ${attributes}; Max-Age=${LIFE_SECONDS}`);
      return true;
    },
    read(request) {
      const value = cookieOf(request.headers.cookie ?? '');
      const text = value === undefined ? undefined : cipher.decrypt(Buffer.from(value, 'base64url'), NAME);
      if (text === undefined) return undefined;
      const { state, until } = JSON.parse(text) as { readonly state: T; readonly until: number };
      return until > now() ? state : undefined;
    },
    clear(response) {
      response.appendHeader('Set-Cookie', `${NAME}=; ${attributes}; Max-Age=0`);
    },
  };
}

const cookieOf = (header: string): string | undefined =>
  header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);
