/** Whether an `If-None-Match` header names the tag; weak tags count as strong ones (RFC 9110 §13.1.2). */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((item) => item.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
