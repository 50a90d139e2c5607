import { connect } from 'node:net';

/**
 * Sends bytes to a port of this machine and returns all bytes that it receives until the other side ends the
 * connection.
 *
 * @param waitMs pause after each chunk
 * @param isLast whether to end the connection after the bytes
 */
export const talk = (port: number, bytes: string | readonly string[], waitMs = 0, isLast = false): Promise<string> =>
  new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', async () => {
      for (const piece of [bytes].flat()) {
        socket.write(piece, 'latin1');
        if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
      }
      if (isLast) socket.end();
    });
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(received)).on('error', () => undefined);
  });
