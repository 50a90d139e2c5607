import type { IncomingHttpHeaders } from 'node:http';
import { FORWARDING_PROOF_HEADER, removeForwardingHeaders } from '@lintel/http';
import type { Forwarded } from './create-forwarded-reader.ts';

/** Replaces the forwarding headers that the peer sent by the trusted values, with the proof that services ask for. */
export function setForwardedHeaders(headers: IncomingHttpHeaders, forwarded: Forwarded, proof: string): void {
  removeForwardingHeaders(headers);
  headers[FORWARDING_PROOF_HEADER] = proof;
  headers['x-forwarded-for'] = forwarded.for;
  headers['x-forwarded-proto'] = forwarded.proto;
  headers['x-forwarded-host'] = forwarded.host;
  if (forwarded.port !== undefined) headers['x-forwarded-port'] = forwarded.port;
  if (forwarded.prefix !== undefined) headers['x-forwarded-prefix'] = forwarded.prefix;
}
