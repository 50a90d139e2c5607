import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameSecret } from '@lintel/http';
import type { LoginConfig } from '../login-settings.ts';
import { expiredPage, type LoginForm } from '../pages/pages.ts';
import type { FormReceiver } from '../pages/receive-form.ts';
import { pageContextOf, sendPage } from '../pages/send-page.ts';

const NAME = 'lintel_form';
const BYTES = 24;
const LIFE_SECONDS = 3_600;
const MAX_FORM_BYTES = 16 * 1024;

/** Forms that were loaded by the browser that sends them: another site can neither read nor set their cookie. */
export interface ProvenForms {
  /** The proof of a form, whose cookie is set. */
  issue(action: string, request: IncomingMessage, response: ServerResponse): Pick<LoginForm, 'action' | 'proof'>;
  /** The fields of a form; undefined, after a response, for one without a proof. */
  receive(request: IncomingMessage, response: ServerResponse): Promise<URLSearchParams | undefined>;
}

/** @param path of the pages */
export function createProvenForms(
  { keyEncryptionSecret: secret, platform }: LoginConfig,
  path: string,
  forms: FormReceiver,
): ProvenForms {
  const secure = platform.issuer.startsWith('https:') ? '; Secure' : '';
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${LIFE_SECONDS}${secure}`;
  const proofOf = (value: string): string =>
    createHmac('sha256', secret).update(`form of ${path} ${value}`).digest('base64url');
  return {
    issue(action, request, response) {
      const value = cookieOf(request) ?? randomBytes(BYTES).toString('base64url');
      response.appendHeader('Set-Cookie', `${NAME}=${value}; ${attributes}`);
      return { action, proof: proofOf(value) };
    },
    async receive(request, response) {
      const body = new URLSearchParams((await forms.receive(request, MAX_FORM_BYTES)).toString('utf8'));
      const [value, proof] = [cookieOf(request), body.get('proof')];
      if (value !== undefined && proof !== null && isSameSecret(proof, proofOf(value))) return body;
      sendPage(response, expiredPage(pageContextOf(request)));
      return undefined;
    },
  };
}

const cookieOf = ({ headers }: IncomingMessage): string | undefined =>
  new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{32})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
