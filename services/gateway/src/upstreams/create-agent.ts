import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket, TcpNetConnectOpts } from 'node:net';
import type { Address } from './find-addresses.ts';

/** Shorter than the keep-alive of our servers (65 s), so that no request uses a connection that is being closed. */
const IDLE_CONNECTION_MS = 30_000;

/**
 * Shared by all connections: the parser copies what it needs before the next read. With a buffer for each read, a
 * large download would leave blocks of 64 KB to the garbage collector, which lets them grow to about 64 MB.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

/** Keeps the connections to one replica alive. */
export function createAgent({ target, servername }: Address, maxConnections: number): HttpAgent {
  const options = {
    keepAlive: true,
    maxSockets: maxConnections,
    maxFreeSockets: maxConnections,
    timeout: IDLE_CONNECTION_MS,
    scheduling: 'lifo' as const,
  };
  if (target.startsWith('https:'))
    return new HttpsAgent(servername === undefined ? options : { ...options, servername });
  const agent = new HttpAgent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (parameters, callback) => {
    const reading: Pick<TcpNetConnectOpts, 'onread'> = { onread: { buffer: READ_BUFFER, callback: onRead } };
    const socket = connect({ ...parameters, ...reading }, callback) as Socket;
    function onRead(length: number): boolean {
      socket.emit('data', READ_BUFFER.subarray(0, length));
      return true;
    }
    return socket;
  };
  return agent;
}
