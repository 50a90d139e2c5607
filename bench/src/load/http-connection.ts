import { connect, type Socket } from 'node:net';
import type { HttpCall } from '../operations/index.ts';

/** What the generator needs to know of a response. */
export interface ReceivedResponse {
  readonly status: number;
  /** Head and body. */
  readonly bytes: number;
}

interface Pending {
  resolve(response: ReceivedResponse): void;
  reject(error: Error): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** Of a chunked body: the last chunk, without trailers. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const EMPTY: Buffer = Buffer.alloc(0);

/**
 * One keep-alive connection that carries one request at a time. Reads only what it must of a response: on a
 * machine that also runs the server, every microsecond of the generator is missing there.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private readonly head: string;
  private pending: Pending | undefined;
  private received = EMPTY;
  private status = 0;
  /** Bytes until the end of the response; undefined for a chunked body. */
  private missing: number | undefined = undefined;
  private isInBody = false;
  private bytes = 0;

  private constructor(socket: Socket, host: string, token: string) {
    this.socket = socket;
    this.head = ` HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The server closed the connection')));
  }

  static open(url: URL, token: string): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port) });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket, url.host, token));
      });
    });
  }

  send({ method, path, body }: HttpCall): Promise<ReceivedResponse> {
    const content =
      body === undefined
        ? '\r\n'
        : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.socket.write(`${method} ${path}${this.head}${content}`);
    });
  }

  close(): void {
    this.pending = undefined;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.isInBody) this.receiveBody(chunk);
    else this.receiveHead(this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]));
  }

  private receiveHead(chunk: Buffer): void {
    const end = chunk.indexOf(HEAD_END);
    if (end < 0) {
      this.received = chunk;
      return;
    }
    const head = chunk.toString('latin1', 0, end + 2);
    this.received = EMPTY;
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const isEmpty = this.status === 204 || this.status === 304;
    this.missing = isEmpty ? 0 : length === undefined ? undefined : Number(length);
    this.isInBody = true;
    this.receiveBody(chunk.subarray(end + HEAD_END.length));
  }

  private receiveBody(chunk: Buffer): void {
    if (this.missing === undefined) {
      // JSON holds no bare line end, so the end delimiter cannot be inside of the content.
      const tail = Buffer.concat([this.received, chunk.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length);
      this.received = tail;
      if (tail.equals(LAST_CHUNK)) this.finish();
      return;
    }
    this.missing -= chunk.length;
    if (this.missing <= 0) this.finish();
  }

  private finish(): void {
    const { pending, status, bytes } = this;
    this.pending = undefined;
    this.received = EMPTY;
    this.isInBody = false;
    this.bytes = 0;
    pending?.resolve({ status, bytes });
  }

  private fail(error: Error): void {
    const { pending } = this;
    this.pending = undefined;
    pending?.reject(error);
  }
}
