/**
 * The key of an address for limits: the address itself, of IPv6 its first 64 bits, since all addresses of such a
 * network belong to one subscriber. A text that is not an address is returned unchanged.
 */
export function networkOf(given: string): string {
  const address = given.startsWith('::ffff:') && given.includes('.') ? given.slice(7) : given;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
