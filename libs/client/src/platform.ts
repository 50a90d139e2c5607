/**
 * The package declares small interfaces of its own for `fetch`, `AbortSignal` and `Blob`: its types need neither the dom
 * library nor the types of Node.
 */

/** An `AbortSignal`. */
export interface AbortSignalLike {
  /** True from the first call of the listeners on. */
  readonly aborted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the reason may be anything
  readonly reason?: any;
  /** The listener is called once, when the signal is aborted; not if it is aborted already. */
  addEventListener(type: 'abort', listener: () => void): void;
  /** A listener that was not added is ignored. */
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A `Blob` or `File`. */
export interface BlobLike {
  /** In bytes. */
  readonly size: number;
  /** Media type; empty if it is unknown. */
  readonly type: string;
  /** Reads the whole content into memory. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** `fetch` of the platform, or another function that behaves like it. */
export type FetchLike = (
  input: string,
  // biome-ignore lint/suspicious/noExplicitAny: body and signal have the types of the platform
  init: { method: string; headers: Record<string, string>; body?: any; signal?: any; redirect?: 'error' },
) => Promise<ResponseLike>;

/** A `Response`. */
export interface ResponseLike {
  /** HTTP status. */
  readonly status: number;
  /** Whether the status is between 200 and 299. */
  readonly ok: boolean;
  /** `get` ignores the case of the name; null for a header that is missing. */
  readonly headers: { get(name: string): string | null };
  // biome-ignore lint/suspicious/noExplicitAny: a ReadableStream of the platform
  readonly body: any;
  /** Reads the rest of the body, as UTF-8. The body can be read once. */
  text(): Promise<string>;
}

/** `Blob` of the platform; {@link BlobLike} where its types are missing. */
export type PlatformBlob = typeof globalThis extends { Blob: { prototype: infer T } } ? T : BlobLike;
