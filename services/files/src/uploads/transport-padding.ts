const CR = 13;
const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9;

/** More blanks are no padding. */
const MAX_PADDING = 1_024;

/** Removes the blanks that a sender may add after a boundary (RFC 2046 §5.1.1), which the parser does not accept. */
export class TransportPadding {
  readonly #delimiter: Buffer;
  /** Bytes that may begin a delimiter, or blanks after one. The first boundary may begin the body. */
  #held: Buffer = Buffer.from('\r\n');
  /** Bytes of `held` that are not of the body. */
  #added = 2;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Returns the bytes that are complete. */
  push(chunk: Buffer): Buffer {
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const pieces: Buffer[] = [];
    let from = 0;
    let heldFrom: number | undefined;
    for (let at = data.indexOf(this.#delimiter); at >= 0; ) {
      const end = at + this.#delimiter.length;
      let next = end;
      while (isBlank(data[next]) && next - end <= MAX_PADDING) next += 1;
      if (next === data.length) {
        heldFrom = at;
        break;
      }
      if (next > end && data[next] === CR) {
        pieces.push(this.#withoutAdded(data.subarray(from, end)));
        from = next;
      }
      at = data.indexOf(this.#delimiter, end);
    }
    heldFrom ??= this.#beginOfDelimiter(data, from);
    if (heldFrom > from) pieces.push(this.#withoutAdded(data.subarray(from, heldFrom)));
    this.#held = data.subarray(heldFrom);
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  /** The rest, at the end of the body. */
  end(): Buffer {
    return this.#withoutAdded(this.#held);
  }

  #withoutAdded(piece: Buffer): Buffer {
    const added = this.#added;
    this.#added = 0;
    return piece.subarray(added);
  }

  /** Where the last bytes begin a delimiter; the end where they do not. */
  #beginOfDelimiter(data: Buffer, from: number): number {
    const at = data.lastIndexOf(CR);
    const isBegin = at >= from && data.subarray(at).equals(this.#delimiter.subarray(0, data.length - at));
    return isBegin ? at : data.length;
  }
}
