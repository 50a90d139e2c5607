import type { JoinedRows } from '../../database.ts';

/** The types of messages: `D`, `d` and `Z`. */
const DATA_ROW = 0x44;
const COPY_DATA = 0x64;
const READY_FOR_QUERY = 0x5a;

/** One byte for the type and four for the length, which includes its own. */
const HEADER_BYTES = 5;
/** The header of a message, the number of columns, and the length of the only one. */
const ROW_HEADER_BYTES = HEADER_BYTES + 2 + 4;
/** Bytes of a row's message that its length counts besides the text. */
const ROW_EXTRA_BYTES = ROW_HEADER_BYTES - 1;

/** The length of a piece: V8 allocates texts above 128 KiB in the old generation. */
const PIECE_BYTES = 32_768;

/** The size of a part of copied rows. */
const PART_BYTES = 8 * PIECE_BYTES;

/**
 * Takes the rows of one statement, or the lines of a `COPY`, out of the bytes that a connection receives, before the
 * driver decodes them. The driver gets all other messages, as if the statement had no rows. Only the format of messages matters here, not how
 * the driver parses them.
 *
 * The texts are copied to short-lived strings, so that a row does not keep the bytes around it in memory. Buffers would
 * be allocated outside of the heap: V8 releases those only by major collections, unless something else fills its young
 * generation.
 */
export class RowBytes {
  #isActive = false;
  /** The piece that is being filled; allocated at the first use. */
  #piece: Buffer | undefined;
  #filled = 0;
  #pieces: string[] = [];
  #lengths: number[] = [];
  /** Bytes of the current row's text that have not arrived. */
  #rowOpen = 0;
  /** Whether the current row is a line, whose end has not arrived. */
  #isLineOpen = false;
  /** The same of another message. */
  #otherOpen = 0;
  /** The first bytes of a header that continues in the next chunk. */
  #header: number[] = [];
  /** The byte before each text. */
  #separator = 0;
  #whenFull: (() => void) | undefined;

  /** Whether rows are taken now. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /**
   * Takes the rows of the statement that is sent next, until the server is ready for another one.
   *
   * @param whenFull called after a chunk with which there are bytes for a part: `take` may then end within a row
   */
  begin(separator = ',', whenFull?: () => void): void {
    this.discard();
    this.#whenFull = whenFull;
    this.#isLineOpen = false;
    this.#separator = separator.charCodeAt(0);
    this.#isActive = true;
    this.#rowOpen = 0;
    this.#otherOpen = 0;
    this.#header = [];
  }

  /** Releases the rows that have not been taken. */
  discard(): void {
    this.#filled = 0;
    this.#pieces = [];
    this.#lengths = [];
  }

  /** The rows since the last call. The last one must be complete, except in a part of copied rows. */
  take(): JoinedRows {
    if (this.#filled > 0) this.#endPiece();
    const rows = { pieces: this.#pieces, lengths: this.#lengths };
    this.discard();
    return rows;
  }

  /**
   * Takes the rows out of a chunk, and passes on the rest of it in its order.
   *
   * @throws Error for a row that is not one text
   */
  read(chunk: Buffer, pass: (rest: Buffer) => void): void {
    // Where the bytes begin that have been read and not passed on.
    let from = 0;
    let at = 0;
    while (at < chunk.length && this.#isActive) {
      if (this.#rowOpen > 0) {
        at = this.#copy(chunk, at);
        from = at;
      } else if (this.#isLineOpen) {
        this.#isLineOpen = false;
        at += 1;
        from = at;
      } else if (this.#otherOpen > 0) {
        const bytes = Math.min(this.#otherOpen, chunk.length - at);
        this.#otherOpen -= bytes;
        at += bytes;
      } else {
        const type = this.#header[0] ?? chunk[at];
        const isTaken = type === DATA_ROW || type === COPY_DATA;
        if (isTaken && from < at) pass(chunk.subarray(from, at));
        at = this.#readHeader(chunk, at, type === DATA_ROW ? ROW_HEADER_BYTES : HEADER_BYTES);
        if (isTaken) from = at;
      }
    }
    if (from < chunk.length) pass(from === 0 ? chunk : chunk.subarray(from));
    if (this.#isActive && this.#pieces.length * PIECE_BYTES + this.#filled >= PART_BYTES) this.#whenFull?.();
  }

  /** Reads a header, or the part of it that has arrived. Returns where it ends. */
  #readHeader(chunk: Buffer, from: number, size: number): number {
    if (this.#header.length === 0 && from + size <= chunk.length) {
      this.#begin(chunk, from);
      return from + size;
    }
    let at = from;
    for (; at < chunk.length && this.#header.length < size; at += 1) this.#header.push(chunk[at] ?? 0);
    if (this.#header.length < size) return at;
    const header = Buffer.from(this.#header);
    this.#header = [];
    this.#begin(header, 0);
    return at;
  }

  /** Begins the message whose header is complete. */
  #begin(bytes: Buffer, at: number): void {
    const length = bytes.readUInt32BE(at + 1);
    if (bytes[at] === COPY_DATA) {
      this.#isLineOpen = true;
      this.#beginRow(length - HEADER_BYTES);
      return;
    }
    if (bytes[at] === DATA_ROW) {
      const textBytes = bytes.readInt32BE(at + HEADER_BYTES + 2);
      if (bytes.readInt16BE(at + HEADER_BYTES) !== 1 || textBytes !== length - ROW_EXTRA_BYTES)
        throw new Error('A row to be joined is one text');
      this.#beginRow(textBytes);
      return;
    }
    this.#otherOpen = length - (HEADER_BYTES - 1);
    if (bytes[at] === READY_FOR_QUERY) this.#isActive = false;
  }

  #beginRow(bytes: number): void {
    const piece = this.#pieceWithSpace();
    piece[this.#filled] = this.#separator;
    this.#filled += 1;
    this.#lengths.push(bytes);
    this.#rowOpen = bytes;
  }

  /** Copies the part of a row's text that has arrived and fits into the piece. Returns where it ends. */
  #copy(chunk: Buffer, from: number): number {
    const piece = this.#pieceWithSpace();
    const bytes = Math.min(this.#rowOpen, chunk.length - from, PIECE_BYTES - this.#filled);
    chunk.copy(piece, this.#filled, from, from + bytes);
    this.#filled += bytes;
    this.#rowOpen -= bytes;
    return from + bytes;
  }

  #pieceWithSpace(): Buffer {
    if (this.#filled === PIECE_BYTES) this.#endPiece();
    this.#piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
    return this.#piece;
  }

  #endPiece(): void {
    this.#pieces.push(this.#piece?.toString('latin1', 0, this.#filled) ?? '');
    this.#filled = 0;
  }
}
