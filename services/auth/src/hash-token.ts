import { createHash } from 'node:crypto';

/**
 * SHA-256, base64url: the form in which random tokens are stored, and in which events name them. A token has too many bits
 * to be guessed from it.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
