import { connect } from 'amqplib';
import { declareProbe } from './topology.ts';

/** What a broker reports of itself to a client with access. */
export interface BrokerFindings {
  readonly product: string;
  /** E.g. `3.13.7`. */
  readonly version: string;
}

/**
 * Connects once, declares, binds and removes an exchange and a queue of its own, and returns its findings. For checks
 * of an installation.
 *
 * @throws the error of the driver if one of these steps fails, e.g. for a missing permission
 */
export async function probeBroker(options: {
  readonly url: string;
  readonly timeoutMs: number;
}): Promise<BrokerFindings> {
  const model = await connect(options.url, { timeout: options.timeoutMs });
  // The error that closes the connection is thrown by the interrupted call.
  model.on('error', () => {});
  try {
    const channel = await model.createChannel();
    channel.on('error', () => {});
    await channel.deleteQueue(await declareProbe(channel));
    const { product, version } = model.connection.serverProperties;
    return { product, version };
  } finally {
    await model.close().catch(() => {});
  }
}
