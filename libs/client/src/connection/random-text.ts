import { toBase64Url } from './paths.ts';

/** A text that cannot be guessed. Unlike `crypto.randomUUID` it is there on pages without TLS, too. */
export const randomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
