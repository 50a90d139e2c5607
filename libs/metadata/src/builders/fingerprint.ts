const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;

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
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i += 1) {
    hash = ((hash ^ BigInt(text.charCodeAt(i))) * FNV_PRIME) & MASK;
  }
  return hash.toString(16).padStart(16, '0');
}
