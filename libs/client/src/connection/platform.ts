/**
 * The package declares small interfaces of its own for `fetch`, `AbortSignal` and `Blob`: its types need neither the dom
 * library nor the types of Node.
 */

/** An `AbortSignal`. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the reason may be anything
  readonly reason?: any;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A `Blob` or `File`. */
export interface BlobLike {
  readonly size: number;
  readonly type: string;
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
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  // biome-ignore lint/suspicious/noExplicitAny: a ReadableStream of the platform
  readonly body: any;
  text(): Promise<string>;
}

/** `Blob` of the platform; {@link BlobLike} where its types are missing. */
export type PlatformBlob = typeof globalThis extends { Blob: { prototype: infer T } } ? T : BlobLike;
