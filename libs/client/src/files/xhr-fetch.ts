import type { FetchLike, ResponseLike } from '../platform.ts';
import type { Progress } from './file-content.ts';

/** What is used of the `XMLHttpRequest` of browsers. */
interface XhrLike {
  readonly status: number;
  readonly responseText: string;
  readonly upload: {
    onprogress: ((event: { loaded: number; total: number; lengthComputable: boolean }) => void) | null;
  };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: unknown): void;
  abort(): void;
}

type XhrClass = new () => XhrLike;

/** `XMLHttpRequest` of a browser: only it reports the progress of an upload. */
export const browserXhr = (): XhrClass | undefined =>
  (globalThis as { readonly XMLHttpRequest?: XhrClass }).XMLHttpRequest;

/** A `fetch` that reports the progress of its body. */
export const xhrFetch =
  (Xhr: XhrClass, onProgress: (progress: Progress) => void): FetchLike =>
  (url, { method, headers, body, signal }) =>
    new Promise<ResponseLike>((resolve, reject) => {
      const xhr = new Xhr();
      const abort = (): void => {
        xhr.abort();
        reject(signal.reason);
      };
      xhr.open(method, url);
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
      xhr.upload.onprogress = ({ loaded, total, lengthComputable }) =>
        onProgress({ loaded, total: lengthComputable ? total : undefined });
      xhr.onerror = () => {
        signal.removeEventListener('abort', abort);
        reject(new TypeError('The upload failed'));
      };
      xhr.onload = () => {
        signal.removeEventListener('abort', abort);
        resolve({
          status: xhr.status,
          ok: xhr.status >= 200 && xhr.status < 300,
          headers: { get: (name) => xhr.getResponseHeader(name) },
          body: null,
          text: async () => xhr.responseText,
        });
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      xhr.send(body);
    });
