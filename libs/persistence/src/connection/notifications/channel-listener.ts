import { quoteIdentifier } from '@lintel/metadata';
import type { Logger } from '@lintel/telemetry';
import type { Client, PoolConfig } from 'pg';
import { translateDatabaseError } from '../../errors/translate-database-error.ts';

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5_000;
/** A connection that receives nothing may be lost without an error; the heartbeat detects that. */
const HEARTBEAT_MS = 20_000;

/** Of `poolConfigOf`. */
type ListenerConfig = PoolConfig & { readonly Client: typeof Client };

/**
 * Listens on a channel over a connection of its own, and reconnects when the connection is lost. After each
 * reconnection it calls `wake` as well, because notifications that were sent in between are lost.
 */
export class ChannelListener {
  private readonly config: ListenerConfig;
  private readonly channel: string;
  private readonly wake: () => void;
  private readonly logger: Pick<Logger, 'warn'> | undefined;
  private client: Client | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;
  private retryMs = FIRST_RETRY_MS;
  private closed = false;

  constructor(config: ListenerConfig, channel: string, wake: () => void, logger: Pick<Logger, 'warn'> | undefined) {
    this.config = { ...config, query_timeout: config.connectionTimeoutMillis };
    this.channel = channel;
    this.wake = wake;
    this.logger = logger;
  }

  /** Rejects when the first connection cannot be made; later losses are repaired. */
  async open(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.drop();
  }

  private async connect(): Promise<void> {
    const client = new this.config.Client(this.config);
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      if (this.client === client) this.reconnectLater(error);
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    client.on('notification', () => this.wake());
    try {
      await client.connect();
      await client.query(`LISTEN ${quoteIdentifier(this.channel)}`);
    } catch (error) {
      lost = true;
      await end(client);
      throw error;
    }
    if (this.closed) {
      await end(client);
      return;
    }
    this.client = client;
    this.retryMs = FIRST_RETRY_MS;
    this.heartbeat = setInterval(() => {
      client.query('SELECT 1').catch(onLost);
    }, HEARTBEAT_MS);
  }

  private reconnectLater(error: Error | undefined): void {
    void this.drop();
    if (this.closed) return;
    this.logger?.warn({ err: error, channel: this.channel }, 'The listening connection was lost');
    this.schedule();
  }

  private schedule(): void {
    this.retry = setTimeout(() => {
      this.connect().then(
        () => this.wake(),
        () => {
          if (!this.closed) this.schedule();
        },
      );
    }, this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }

  private async drop(): Promise<void> {
    clearInterval(this.heartbeat);
    const { client } = this;
    this.client = undefined;
    if (client !== undefined) await end(client);
  }
}

/** Ends a connection that may be dead already. */
const end = (client: Client): Promise<void> => client.end().catch(() => {});
