/** The name of a file in `Content-Disposition`: the encoded one, else the plain one. */
export function fileNameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename="([^"]*)"/i.exec(disposition ?? '')?.[1];
  return encoded === undefined ? plain : decodeURIComponent(encoded);
}
