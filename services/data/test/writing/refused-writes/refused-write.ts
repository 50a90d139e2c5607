/** The ids of the data of the cases: two customers, an order with lines, a tagged product, a rate, a warehouse. */
export interface Ids {
  readonly customer: string;
  readonly foreign: string;
  readonly order: string;
  readonly closed: string;
  readonly line: string;
  readonly foreignLine: string;
  readonly category: string;
  readonly product: string;
  readonly tag: string;
}

/** A request that is refused, and its response. */
export interface RefusedWrite {
  /** A row of contract/errors.md#catalogue, of contract/writing.md#writing, or a decision. */
  readonly row: string;
  readonly user?: string;
  readonly method: string;
  readonly path: (ids: Ids) => string;
  /** Its valid parts must not be written either. */
  readonly body?: (ids: Ids) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The `error` member; `items` for the array of validation. */
  readonly error: string;
}

/** An id that no row has. */
export const missing = crypto.randomUUID();
/** Path of all customers. */
export const customers = () => 't_Customer';
/** Path of the customer. */
export const customer = ({ customer: id }: Ids) => `t_Customer/${id}`;
/** Path of the order. */
export const order = ({ order: id }: Ids) => `t_Order/${id}`;
