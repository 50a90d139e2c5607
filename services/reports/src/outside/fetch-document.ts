import { isIP } from 'node:net';
import { AddressRefusedError, isPrivateAddress, publicLookup } from '@lintel/http';
import { Agent, request } from 'undici';
import { ReportFailure } from '../report-failure.ts';

export interface OutsideOptions {
  /** Hosts that reports may read from: `api.example.com`, `*.example.com`, with a port where it is not the usual one. */
  readonly allowedHosts: readonly string[];
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Whether names and addresses of this machine and its network are allowed, too. */
  readonly allowInsecurePrivateAddresses: boolean;
}

/** Reads documents of other servers for reports. */
export interface OutsideReader {
  /**
   * The bytes of a document. Nothing is followed: another answer than 200 is an error.
   *
   * @throws ReportFailure naming the host
   */
  read(url: string, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Documents come from hosts on the list alone, and from public addresses: the address is checked when the
 * connection is made, so that a name cannot mean another one meanwhile.
 */
export function createOutsideReader(options: OutsideOptions): OutsideReader {
  const isRefused = (address: string): boolean => !options.allowInsecurePrivateAddresses && isPrivateAddress(address);
  const dispatcher = new Agent({
    connect: { lookup: publicLookup(isRefused), timeout: options.timeoutMs },
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    maxResponseSize: options.maxBytes,
  });
  return {
    async read(text, runSignal) {
      const url = parse(text);
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      if (!isAllowed(url, options.allowedHosts))
        throw new ReportFailure(
          `Reports may not read from ${url.host}: it is not in svc.reports.outside-allowed-hosts`,
        );
      if (isIP(host) !== 0 && isRefused(host)) throw new ReportFailure(`${url.host} is no public address`);
      const signal = AbortSignal.any([runSignal, AbortSignal.timeout(options.timeoutMs)]);
      try {
        const answer = await request(url, { dispatcher, signal });
        if (answer.statusCode !== 200) {
          await answer.body.dump();
          throw new ReportFailure(`${url.host} answered ${answer.statusCode}`);
        }
        return new Uint8Array(await answer.body.arrayBuffer());
      } catch (cause) {
        if (cause instanceof ReportFailure || runSignal.aborted) throw cause;
        if (cause instanceof AddressRefusedError) throw new ReportFailure(cause.message, { cause });
        throw new ReportFailure(`The document of ${url.host} cannot be read`, { cause });
      }
    },
    close: () => dispatcher.close(),
  };
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ReportFailure('The address of the document is not valid');
  if (url.username !== '' || url.password !== '') throw new ReportFailure('The address of a document has no user');
  return url;
}

function isAllowed(url: URL, hosts: readonly string[]): boolean {
  return hosts.some((pattern) => {
    const allowed = pattern.toLowerCase();
    return allowed.startsWith('*.') ? url.host.endsWith(allowed.slice(1)) : url.host === allowed;
  });
}
