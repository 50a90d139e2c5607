import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@lintel/telemetry';
import { type ChannelModel, connect } from 'amqplib';
import { busUnavailable } from '../bus-unavailable.ts';
import { retryDelayMs } from '../delivery/retry-policy.ts';

export type ConnectionState = 'connected' | 'disconnected';

export interface AmqpConnectionOptions {
  /** Addresses of the broker's nodes, tried one after the other. */
  readonly urls: readonly string[];
  /** The setting with the addresses. */
  readonly property: string;
  readonly name: string;
  readonly heartbeatSeconds: number;
  /** How long a node may take to respond before the next address is tried. */
  readonly responseTimeoutMs: number;
  /** Declares topology and consumers again; the connection counts as up when it resolves. */
  readonly setUp: (model: ChannelModel) => Promise<void>;
  readonly logger: Logger;
}

const RECONNECT = { initialDelayMs: 100, maxDelayMs: 3_000 };
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * A connection that reconnects automatically until it is closed. (The `recovery` of amqplib supports one address
 * and does not notice a connection that is lost while it is being set up.)
 */
export class AmqpConnection {
  private readonly options: AmqpConnectionOptions;
  private readonly listeners: ((state: ConnectionState) => void)[] = [];
  private readonly closing = new AbortController();
  private readonly waiters = new Set<() => void>();
  private current: ChannelModel | undefined;
  private running: Promise<void> | undefined;

  constructor(options: AmqpConnectionOptions) {
    this.options = options;
  }

  /** The open connection; undefined while there is none. */
  get model(): ChannelModel | undefined {
    return this.current;
  }

  onState(listener: (state: ConnectionState) => void): void {
    this.listeners.push(listener);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** @throws PlatformError BUS_UNAVAILABLE when there is no connection within `timeoutMs` */
  async waitUntilConnected(timeoutMs: number): Promise<ChannelModel> {
    if (this.current === undefined && !this.closing.signal.aborted) {
      await new Promise<void>((resolve) => {
        const release = (): void => {
          clearTimeout(timer);
          this.waiters.delete(release);
          resolve();
        };
        const timer = setTimeout(release, timeoutMs);
        this.waiters.add(release);
      });
    }
    if (this.current === undefined) throw busUnavailable('No connection to the message broker');
    return this.current;
  }

  /** Closes the connection and opens a new one; events that were missed meanwhile are treated as lost. */
  reset(model: ChannelModel, reason: string): void {
    if (this.current !== model) return;
    this.options.logger.warn({ reason }, 'Connection to the message broker given up');
    void closeQuietly(model);
  }

  /** Disconnects within seconds, even if the broker does not respond. */
  async close(): Promise<void> {
    this.closing.abort();
    this.releaseWaiters();
    if (this.current !== undefined) await closeQuietly(this.current);
    // An attempt to connect to an unresponsive address ends by its own timeout; it is not awaited.
    await Promise.race([this.running, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    const { urls, property, logger } = this.options;
    let failures = 0;
    /** Why there has been no connection since the last one: each reason is logged once. */
    const reported = new Set<string>();
    for (let attempt = 0; !this.closing.signal.aborted; attempt += 1) {
      const url = urls[attempt % urls.length] ?? '';
      try {
        await this.connectOnce(url, () => {
          failures = 0;
          reported.clear();
        });
      } catch (err) {
        const broker = hostOf(url);
        const reason = `${broker}: ${err}`;
        if (!reported.has(reason)) logger.warn({ broker, err, property }, 'No connection to the message broker');
        reported.add(reason);
      }
      failures += 1;
      const delayMs = retryDelayMs(RECONNECT, failures);
      await sleep(delayMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
  }

  /** Resolves when a connection that was up is lost. */
  private async connectOnce(url: string, onConnected: () => void): Promise<void> {
    const { logger, setUp } = this.options;
    const model = await connect(withHeartbeat(url, this.options.heartbeatSeconds), {
      timeout: this.options.responseTimeoutMs,
      noDelay: true,
      clientProperties: { connection_name: this.options.name },
    });
    let cause: unknown;
    model.on('error', (error) => {
      cause = error;
    });
    let lost = false;
    const closed = new Promise<void>((resolve) => {
      model.once('close', (error) => {
        cause ??= error;
        lost = true;
        resolve();
      });
    });
    try {
      await setUp(model);
    } catch (error) {
      await closeQuietly(model);
      throw error;
    }
    if (this.closing.signal.aborted) return closeQuietly(model);
    if (!lost) {
      onConnected();
      this.current = model;
      logger.info({ broker: hostOf(url) }, 'Connected to the message broker');
      this.notify('connected');
      this.releaseWaiters();
      await closed;
      this.current = undefined;
      this.notify('disconnected');
    }
    if (!this.closing.signal.aborted) {
      logger.warn({ broker: hostOf(url), err: cause }, 'Connection to the message broker lost');
    }
  }

  private notify(state: ConnectionState): void {
    for (const listener of this.listeners) {
      try {
        listener(state);
      } catch (error) {
        this.options.logger.error({ err: error, state }, 'A listener of the connection failed');
      }
    }
  }

  private releaseWaiters(): void {
    for (const release of [...this.waiters]) release();
  }
}

/** Closes the connection by the protocol; if the broker does not respond, closes the socket. */
async function closeQuietly(model: ChannelModel): Promise<void> {
  const timer = setTimeout(() => {
    // The types do not contain the socket. Otherwise the connection would stay open until a heartbeat is missed.
    (model.connection as unknown as { stream?: { destroy(error: Error): void } }).stream?.destroy(
      new Error('The broker did not confirm the close'),
    );
  }, CLOSE_TIMEOUT_MS);
  // Rejects only if the connection is closed already, which is the intended state.
  await Promise.race([model.close().catch(() => undefined), new Promise((resolve) => model.once('close', resolve))]);
  clearTimeout(timer);
}

function withHeartbeat(url: string, seconds: number): string {
  const target = new URL(url);
  if (!target.searchParams.has('heartbeat')) target.searchParams.set('heartbeat', String(seconds));
  return target.href;
}

/** Host and port only: an address contains a password. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '(not an address)');
