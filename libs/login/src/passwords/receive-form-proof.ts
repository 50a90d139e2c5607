import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameSecret } from '@lintel/http';

const NAME = 'lintel_form';
const BYTES = 24;
const LIFE_SECONDS = 3_600;

/** Proves that a form was loaded by the browser that sends it: another site can neither read nor set the cookie. */
export interface FormProof {
  /** The proof for a form, and the cookie it belongs to. */
  issue(request: IncomingMessage, response: ServerResponse): string;
  isValid(request: IncomingMessage, proof: string | null): boolean;
}

export interface FormProofOptions {
  /** The same in all replicas. */
  readonly secret: string;
  /** Path of the pages. */
  readonly path: string;
  readonly isSecure: boolean;
}

export function createFormProof({ secret, path, isSecure }: FormProofOptions): FormProof {
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${LIFE_SECONDS}${isSecure ? '; Secure' : ''}`;
  const proofOf = (value: string): string =>
    createHmac('sha256', secret).update(`form of ${path} ${value}`).digest('base64url');
  return {
    issue(request, response) {
      const known = cookieOf(request);
      const value = known ?? randomBytes(BYTES).toString('base64url');
      response.appendHeader('Set-Cookie', `${NAME}=${value}; ${attributes}`);
      return proofOf(value);
    },
    isValid(request, proof) {
      const value = cookieOf(request);
      return value !== undefined && proof !== null && isSameSecret(proof, proofOf(value));
    },
  };
}

const cookieOf = ({ headers }: IncomingMessage): string | undefined =>
  new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{32})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
