import type { Socket } from 'node:net';
import { addressOf } from './parse-hops.ts';

/** The address at which clients reach the gateway. */
export interface PublicAddress {
  readonly proto: 'http' | 'https';
  readonly host: string;
  /** The client sent another host. */
  readonly isReplaced?: true;
}

export interface PublicHostOptions {
  /** `svc.gateway.allowed-hosts` */
  readonly allowedHosts: readonly string[];
  /** `svc.authserver.issuer`: the public address of the gateway. */
  readonly issuer: string;
}

const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Decides which `Host` is trusted: configured names, the host of the issuer, loopback names and addresses, and the
 * address that the connection was made to. For any other `Host`, the issuer is used as the public address, so that no
 * client can choose the host of absolute URLs.
 *
 * @returns a function that returns the address to use instead; undefined if the host is trusted
 */
export function createPublicHost({
  allowedHosts,
  issuer,
}: PublicHostOptions): (host: string, socket: Pick<Socket, 'localAddress'>) => PublicAddress | undefined {
  const { protocol, host: issuerHost } = new URL(issuer);
  const configured: PublicAddress = {
    proto: protocol === 'https:' ? 'https' : 'http',
    host: issuerHost,
    isReplaced: true,
  };
  const allowed = new Set([issuerHost, nameOf(issuerHost), ...allowedHosts].map((host) => host.toLowerCase()));
  return (given, { localAddress }) => {
    const host = given.toLowerCase();
    if (allowed.has(host)) return undefined;
    const name = nameOf(host);
    if (allowed.has(name) || LOOPBACK.test(name)) return undefined;
    return localAddress !== undefined && addressOf(name) === addressOf(localAddress) && name !== ''
      ? undefined
      : configured;
  };
}

/** A host without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '');
