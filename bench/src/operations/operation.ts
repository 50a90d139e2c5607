/** One request as it goes over the wire. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
}

/** One kind of work, asked of every system in its own words. */
export interface Operation {
  /** As on the performance page: `R1` … `W3`. */
  readonly name: string;
  readonly about: string;
  readonly isWrite: boolean;
  /** It is about entities that only the benchmarks have: `npm start` is left out. */
  readonly isOfBench?: true;
  /** Requests under way at the same time. */
  readonly connections: number;
  /** A request with random parameters, for the API of the platform and for the one of the yardsticks. */
  draw(): DrawnCall;
}

export interface DrawnCall {
  readonly lintel: HttpCall;
  readonly yardstick: HttpCall;
}

/** A whole number from `least` to below `end`. */
export const randomWhole = (least: number, end: number): number => least + Math.floor(Math.random() * (end - least));
