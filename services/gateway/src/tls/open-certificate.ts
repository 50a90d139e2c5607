import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartError } from '@lintel/errors';
import type { TlsSource } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { GatewayConfig } from '../config.ts';

/** A certificate that follows its files. */
export interface Certificate extends TlsSource {
  /** Reads the files now; a pair that cannot be used changes nothing. */
  reload(): void;
  close(): void;
}

/** Looking is cheap, and sees what notifications of the system miss: links that lead to another folder. */
const LOOK_MS = 5_000;

/**
 * The certificate of the gateway; undefined where none is configured and the gateway speaks plain HTTP. New files
 * are taken within seconds.
 *
 * @param lookMs time between two looks at the files
 * @throws StartError where one of the two files is not named or the pair cannot be used
 */
export function openCertificate(
  { certificateFile, keyFile, minVersion }: GatewayConfig['tls'],
  logger: Logger,
  lookMs = LOOK_MS,
): Certificate | undefined {
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  if (certificateFile === undefined || keyFile === undefined)
    throw new StartError('svc.gateway.tls.certificate-file and svc.gateway.tls.key-file need each other');
  const read = () => {
    const pair = { cert: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    // Fails where the files are no PEM, or of two different pairs: between the writing of one and the other.
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
  for (const file of files) watchFile(file, { interval: lookMs, persistent: false }, reload);
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
