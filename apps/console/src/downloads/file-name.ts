/** The name of a file in its reference, which ends with `?name=…`. */
export function fileNameOf(reference: string): string {
  const name = new URLSearchParams(reference.split('?')[1] ?? '').get('name');
  return name ?? reference.split('/').at(-1) ?? reference;
}
