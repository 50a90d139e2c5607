import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartError } from '@lintel/errors';
import type { TlsSource } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { GatewayConfig } from '../config.ts';

/** A certificate that is reloaded when its files change. */
export interface Certificate extends TlsSource {
  /** Reads the files now; an invalid pair is ignored. */
  reload(): void;
  close(): void;
}

/** Polling is cheap and detects what file system events do not: links whose target folder changes. */
const POLL_MS = 5_000;

/**
 * The certificate of the gateway; undefined if none is configured and the gateway speaks plain HTTP. New files
 * are used within seconds.
 *
 * @param pollMs time between two checks of the files
 * @throws StartError if one of the two files is not named or the pair cannot be used
 */
export function openCertificate(
  { certificateFile, keyFile, minVersion }: GatewayConfig['tls'],
  logger: Logger,
  pollMs = POLL_MS,
): Certificate | undefined {
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  if (certificateFile === undefined || keyFile === undefined)
    throw new StartError('svc.gateway.tls.certificate-file and svc.gateway.tls.key-file need each other');
  const read = () => {
    const pair = { cert: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    // Fails if a file is not PEM, or if only one of the two files has been replaced yet.
    createSecureContext(pair);
    return pair;
  };
  let current: ReturnType<typeof read>;
  try {
    current = read();
  } catch (cause) {
    throw new StartError(`The certificate of the gateway cannot be used: ${messageOf(cause)}`, { cause });
  }
  const listeners: (() => void)[] = [];
  const reload = (): void => {
    try {
      const next = read();
      if (next.cert === current.cert && next.key === current.key) return;
      current = next;
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the new certificate cannot be used; the former one stays');
      return;
    }
    for (const listener of listeners) listener();
    logger.info({}, 'the certificate has changed');
  };
  const files = [certificateFile, keyFile];
  for (const file of files) watchFile(file, { interval: pollMs, persistent: false }, reload);
  return {
    minVersion,
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    reload,
    close: () => {
      for (const file of files) unwatchFile(file, reload);
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
