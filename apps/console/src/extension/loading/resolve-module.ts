/**
 * The address of the module of an extension.
 *
 * @param base address of the page
 * @throws Error if it is on another host: its code has the rights of the user
 */
export function resolveModule(address: string, base: string): string {
  const url = new URL(address, base);
  const { origin } = new URL(base);
  if (url.origin !== origin) throw new Error(`The extension must be on ${origin}, and is on ${url.origin}`);
  return url.href;
}
