import pg, { type ClientConfig } from 'pg';
import { MessageTooLargeError } from './message-errors.ts';
import type { ResultMemory, ResultMeter } from './result-memory.ts';
import { RowBytes } from './row-bytes.ts';

/** Maximum sizes of the messages that the database sends. */
export interface MessageLimits {
  readonly maxRowBytes: number;
  /** Of the rows of one statement, or of one batch of a cursor. */
  readonly maxResultBytes: number;
}

/** The part of the driver's protocol object that is guarded. */
interface Wire {
  attachListeners(stream: Source): void;
}

/** The part of a socket that the driver's parser uses. */
interface Source {
  on(event: string, listener: (data: Buffer) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(error: Error): unknown;
}

/** One byte for the type and four for the length. */
const HEADER_BYTES = 5;
/** The type of a message with a row: `D`. */
const DATA_ROW = 0x44;

/**
 * Checks sizes by the headers of messages, before their bytes are buffered: the driver would keep all bytes of a row
 * several times, and Node cannot create a string of more than 512 MB.
 */
export class MessageCheck {
  readonly #limits: MessageLimits;
  /** Bytes of the rows since the last other message. */
  #rowsBytes = 0;
  /** Bytes of the current message that have not arrived. */
  #open = 0;
  /** The first bytes of a header that continues in the next chunk. */
  #header: number[] = [];

  constructor(limits: MessageLimits) {
    this.#limits = limits;
  }

  /** Bytes of the rows of the current result whose headers have arrived. */
  get rowsBytes(): number {
    return this.#rowsBytes;
  }

  /** Whether no message has arrived partly. */
  get isBetweenMessages(): boolean {
    return this.#open === 0 && this.#header.length === 0;
  }

  /** @throws MessageTooLargeError */
  check(chunk: Buffer): void {
    let at = this.#open;
    while (at < chunk.length) {
      if (this.#header.length > 0 || at + HEADER_BYTES > chunk.length) {
        at = this.#collect(chunk, at);
        continue;
      }
      at += 1 + this.#checked(chunk[at], chunk.readUInt32BE(at + 1));
    }
    this.#open = at - chunk.length;
  }

  /** Reads a header that is split between two chunks. Returns where the next message begins, as far as it is known. */
  #collect(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && this.#header.length < HEADER_BYTES) {
      this.#header.push(chunk[at] ?? 0);
      at += 1;
    }
    if (this.#header.length < HEADER_BYTES) return at;
    const length = this.#checked(this.#header[0], Buffer.from(this.#header).readUInt32BE(1));
    this.#header = [];
    return at + length - (HEADER_BYTES - 1);
  }

  #checked(type: number | undefined, length: number): number {
    const { maxRowBytes, maxResultBytes } = this.#limits;
    if (length > maxRowBytes) throw new MessageTooLargeError('LINTEL_ROW_SIZE', length, maxRowBytes);
    this.#rowsBytes = type === DATA_ROW ? this.#rowsBytes + length : 0;
    if (this.#rowsBytes > maxResultBytes)
      throw new MessageTooLargeError('LINTEL_RESULT_SIZE', this.#rowsBytes, maxResultBytes);
    return length;
  }
}

/**
 * Wraps a socket for the parser: an error in a listener closes the connection, and the statements that run on it are
 * rejected with that error. Without the wrapper an uncaught error would end the process.
 */
const guarded = (
  stream: Source,
  messages: MessageCheck,
  meter: ResultMeter | undefined,
  rowBytes: RowBytes,
): Source => ({
  on(event, listener) {
    if (event !== 'data') return stream.on(event, listener);
    let isBroken = false;
    return stream.on(event, (chunk) => {
      if (isBroken) return;
      try {
        messages.check(chunk);
        meter?.grow(messages.rowsBytes);
        if (rowBytes.isActive) rowBytes.read(chunk, listener);
        else listener(chunk);
      } catch (error) {
        isBroken = true;
        stream.destroy(error as Error);
      }
    });
  },
  pause: () => stream.pause(),
  resume: () => stream.resume(),
  destroy: (error) => stream.destroy(error),
});

/** A connection whose results are measured. */
export interface Measured {
  /** Absent before the connection is open, and where results share no limit. */
  readonly meter?: ResultMeter | undefined;
  /**
   * Can take the rows of the statement that is sent now. Absent before the connection is open, and while a message has
   * arrived partly. The server sends only valid UTF-8, also from databases whose own texts are not checked.
   */
  readonly rowBytes?: RowBytes | undefined;
  /** Its socket; absent before the connection is open. */
  readonly wire?: Pick<Source, 'pause' | 'resume'> | undefined;
}

/**
 * Creates the class of a pool's clients: no message of the database can end the process, neither one that exceeds the
 * limits nor one that the driver cannot parse.
 *
 * @param memory shared by the results of all connections
 */
export function guardedClient(limits: MessageLimits, memory?: ResultMemory): typeof pg.Client {
  return class extends pg.Client implements Measured {
    meter: ResultMeter | undefined;
    wire: Source | undefined;
    readonly #rowBytes = new RowBytes();
    #messages: MessageCheck | undefined;

    get rowBytes(): RowBytes | undefined {
      return this.#messages?.isBetweenMessages === true ? this.#rowBytes : undefined;
    }

    constructor(config?: string | ClientConfig) {
      super(config);
      const wire = (this as unknown as { readonly connection: Wire }).connection;
      const attach = wire.attachListeners.bind(wire);
      wire.attachListeners = (stream) => {
        this.wire = stream;
        this.meter = memory?.createMeter(stream);
        const { meter } = this;
        if (meter !== undefined) stream.on('close', () => meter.release());
        this.#messages = new MessageCheck(limits);
        attach(guarded(stream, this.#messages, meter, this.#rowBytes));
      };
    }
  };
}
