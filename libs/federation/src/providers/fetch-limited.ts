/** Without redirects, which could lead to another server or to an address without TLS. */
export async function fetchLimited(url: string, maxBytes: number, timeoutMs: number): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the status of ${url} is ${response.status}`, { cause: response });
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the response of ${url} is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
