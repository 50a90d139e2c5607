/** The offset and the prime of FNV-1a with 64 bits, in halves of 32; the high half of the prime is 2^8. */
const OFFSET = [0xcbf29ce4, 0x84222325] as const;
const PRIME_LOW = 0x1b3;
const HALF = 2 ** 32;

/**
 * A short text that differs whenever the content differs (FNV-1a, 64 bit; not for security). Functions
 * count by their source text, maps by their entries.
 */
export function fingerprint(content: unknown): string {
  const text = JSON.stringify(content, (_key, value: unknown) => {
    if (typeof value === 'function') return value.toString();
    if (value instanceof Map) return [...value];
    return value;
  });
  let [high, low] = OFFSET as readonly [number, number];
  // Numbers take a tenth of the time of bigints, and the whole model is such a content.
  for (let at = 0; at < text.length; at += 1) {
    const mixed = (low ^ text.charCodeAt(at)) >>> 0;
    const product = mixed * PRIME_LOW;
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / HALF) + (mixed << 8)) | 0;
    low = product >>> 0;
  }
  return hexOf(high) + hexOf(low);
}

const hexOf = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');
