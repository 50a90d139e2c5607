/** A response in short. */
export interface FileResponse {
  readonly status: number;
  /** Of an error: the members of its body in the API's shape. */
  readonly error: string | undefined;
  /** Of an upload: what was stored. */
  readonly fileRef: string;
}

/** A user who stores files and reads them. */
export interface FileClient {
  upload(storage: string, content: Buffer): Promise<FileResponse>;
  /** @throws where the response breaks off */
  download(fileRef: string): Promise<{ readonly status: number; readonly content: Buffer }>;
}

/** @throws where an error of an upload is not in the shape of the API */
export function createFileClient(url: string, token: string): FileClient {
  const headers = { authorization: `Bearer ${token}` };
  return {
    async upload(storage, content) {
      const path = `/rest/files?name=a.bin&storageName=${storage}`;
      const response = await fetch(url + path, { method: 'POST', headers, body: content });
      const body = (await response.json()) as Record<string, unknown>;
      if (!response.ok && (typeof body['error'] !== 'string' || typeof body['details'] !== 'string'))
        throw new Error(`${response.status} is not in the API's shape: ${JSON.stringify(body)}`);
      const { error, fileRef } = body as { error?: string; fileRef: string };
      return { status: response.status, error, fileRef };
    },
    async download(fileRef) {
      const response = await fetch(`${url}/rest/files?fileRef=${encodeURIComponent(fileRef)}`, { headers });
      return { status: response.status, content: Buffer.from(await response.arrayBuffer()) };
    },
  };
}
