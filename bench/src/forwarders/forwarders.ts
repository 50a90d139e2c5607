import { findProgram } from '../servers/find-program.ts';

/** A server that forwards requests. */
export interface Forwarder {
  readonly name: string;
  readonly about: string;
  /** File of `servers/`, without its ending. */
  readonly program: string;
  /** A program that must be installed. */
  readonly needs?: string;
}

/** The gateway and what its cost is compared with. */
export const FORWARDERS: readonly Forwarder[] = [
  { name: 'gateway', about: 'the gateway', program: 'gateway' },
  { name: 'forwarder', about: 'the least forwarder (node:http and undici)', program: 'forwarder' },
  {
    name: 'express-proxy',
    about: 'Express and http-proxy-middleware, nothing else',
    program: '../forwarders/express-proxy',
  },
  { name: 'nginx', about: 'nginx', program: 'nginx', needs: 'nginx' },
  { name: 'caddy', about: 'Caddy', program: '../forwarders/caddy', needs: 'caddy' },
];

/** Whether the program of a forwarder is installed. */
export const isInstalled = ({ needs }: Forwarder): boolean =>
  needs === undefined || findProgram(needs, process.env) !== undefined;
