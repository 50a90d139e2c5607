/**
 * The header `X-Change-Reason` with the bytes of UTF-8: `fetch` sends each character of a header as one byte. Line breaks
 * and other control characters, which no header can contain, become spaces.
 */
export const reasonHeader = (reason: string | undefined): string | undefined =>
  reason && String.fromCharCode(...new TextEncoder().encode(reason.replace(/\p{Cc}+/gu, ' ')));
