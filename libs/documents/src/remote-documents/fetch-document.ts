import { AddressRefusedError, createExternalClient, isPrivateAddress } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import { ReportFailure } from '../report-failure.ts';

export interface RemoteOptions {
  /** Hosts that reports may read from: `api.example.com`, `*.example.com`, with a port where it is not the default. */
  readonly allowedHosts: readonly string[];
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Whether hosts may have addresses of this machine and its network. */
  readonly allowInsecurePrivateAddresses: boolean;
}

/** Reads documents from other servers for reports. */
export interface RemoteReader {
  /**
   * Returns the bytes of a document. Redirects are not followed: a status other than 200 is an error.
   *
   * @throws ReportFailure naming the host
   */
  read(url: string, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Creates the reader of documents from allowed hosts with public addresses. */
export function createRemoteReader(options: RemoteOptions, metrics?: Metrics | undefined): RemoteReader {
  const { allowedHosts, timeoutMs, maxBytes, allowInsecurePrivateAddresses } = options;
  const client = createExternalClient({
    timeoutMs,
    maxResponseBytes: maxBytes,
    metrics,
    isRefused: (address) => !allowInsecurePrivateAddresses && isPrivateAddress(address),
  });
  return {
    async read(text, signal) {
      const url = parse(text);
      if (!isAllowed(url, allowedHosts))
        throw new ReportFailure(`Reports may not read from ${url.host}: it is not in svc.reports.remote-allowed-hosts`);
      try {
        const response = await client.send(url, { signal });
        if (response.statusCode !== 200) {
          await response.body.dump();
          throw new ReportFailure(`${url.host} returned ${response.statusCode}`);
        }
        return new Uint8Array(await response.body.arrayBuffer());
      } catch (cause) {
        if (cause instanceof ReportFailure || signal.aborted) throw cause;
        if (cause instanceof AddressRefusedError) throw new ReportFailure(cause.message, { cause });
        throw new ReportFailure(`The document of ${url.host} cannot be read`, { cause });
      }
    },
    close: () => client.close(),
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
