import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Client } from 'ldapts';
import type { DirectorySettings } from './directory-settings.ts';
import { DirectoryUnavailable } from './directory-unavailable.ts';

/** Connections to the servers of one directory; each is new, and closed after its work. */
export interface DirectoryConnections {
  /** Runs work on a connection to one server, without a login. Throws what the server or the work throws. */
  run<T>(url: string, work: (client: Client) => Promise<T>): Promise<T>;
  /**
   * Runs work as the user who searches, on the server that responded last, then on the others.
   *
   * @throws DirectoryUnavailable if it fails on all of them
   */
  ask<T>(work: (client: Client, url: string) => Promise<T>): Promise<T>;
  /** Logs in at every server as the user who searches, and looks for the entry of `base-dn`: the error of each. */
  probe(): Promise<readonly { readonly url: string; readonly error: unknown }[]>;
}

/** @throws Error if the file of the certificate authority cannot be read */
export function createDirectoryConnections(
  name: string,
  settings: DirectorySettings,
  timeoutMs: number,
): DirectoryConnections {
  const { urls, 'bind-dn': bindDn, 'bind-password': bindPassword } = settings;
  const ca = settings['ca-file'] === undefined ? undefined : readFileSync(settings['ca-file'], 'utf8');
  const tlsOptions = { ...(ca === undefined ? {} : { ca }), minVersion: 'TLSv1.2' as const };
  let preferred = 0;

  async function run<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
    const isTls = url.startsWith('ldaps:');
    let clear = Buffer.alloc(0);
    const connectInClear = (port: number, host: string) =>
      connect(port, host).on('data', (bytes) => {
        clear = Buffer.concat([clear, bytes]);
      });
    const client = new Client({
      url,
      timeout: timeoutMs,
      connectTimeout: timeoutMs,
      ...(isTls ? { tlsOptions } : { createConnection: connectInClear as typeof connect }),
    });
    try {
      if (settings['start-tls'] && !isTls) {
        await client.startTLS({ ...tlsOptions, host: new URL(url).hostname });
        // The client would read further bytes, which anybody can have added, as the beginning of an encrypted response.
        if (clear.length !== messageLength(clear))
          throw new Error('bytes in clear text follow the response to StartTLS');
      }
      return await work(client);
    } finally {
      // A connection that was lost cannot be closed.
      await client.unbind().catch(() => undefined);
    }
  }

  async function runAsSearcher<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
    return run(url, async (client) => {
      await client.bind(bindDn, bindPassword);
      return work(client);
    });
  }

  return {
    run,
    async ask(work) {
      let failure: unknown;
      for (let index = 0; index < urls.length; index += 1) {
        const at = (preferred + index) % urls.length;
        const url = urls[at] ?? '';
        try {
          const result = await runAsSearcher(url, (client) => work(client, url));
          preferred = at;
          return result;
        } catch (error) {
          failure = error;
        }
      }
      throw new DirectoryUnavailable(name, failure);
    },
    probe: () =>
      Promise.all(
        urls.map(async (url) => {
          try {
            await runAsSearcher(url, (client) =>
              client.search(settings['base-dn'], { scope: 'base', attributes: ['1.1'] }),
            );
            return { url, error: undefined };
          } catch (error) {
            return { url, error };
          }
        }),
      ),
  };
}

/** The length of the message at the beginning of some bytes, by the head that BER gives it. */
function messageLength(bytes: Buffer): number {
  const length = bytes.readUInt8(1);
  return length < 0x80 ? 2 + length : 2 + (length - 0x80) + bytes.readUIntBE(2, length - 0x80);
}
