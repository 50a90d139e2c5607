import { hash } from 'node:crypto';
import type { Instance } from './prepare/prepared-read.ts';

/** `"<version>.<hash of the body>"`; `-` where the entity has no version (contract/decisions.md#54). */
export const entityTag = ({ json, version }: Instance): string =>
  `"${version ?? '-'}.${hash('sha256', json, 'base64url').slice(0, 22)}"`;
