import { decimalOf, formatDecimal, trimDecimal } from './exact-decimal.ts';
import type { DatatypeType } from './literal-type.ts';

/**
 * The normal form of a text: of all texts that PostgreSQL compares equal, the one that is shown
 * (contract/decisions.md#85). `normalForm` in `compile/write-value.ts` is the same in SQL.
 */
export function normalText({ equality, scale = 0 }: DatatypeType, text: string): string {
  switch (equality) {
    case undefined:
      return text;
    case 'padded':
      return withoutPadding(text);
    case 'caseless':
      // Character by character: PostgreSQL does not know the final sigma.
      return Array.from(text, (character) => Array.from(character.toLowerCase())[0]).join('');
    case 'numeric': {
      const decimal = decimalOf(text);
      if (decimal === undefined) return text;
      const number = trimDecimal(decimal);
      const more = Math.max(scale - number.scale, 0);
      return formatDecimal({ digits: number.digits * 10n ** BigInt(more), scale: number.scale + more });
    }
    default:
      return equality satisfies never;
  }
}

/** A text without the blanks at its end, which `character(n)` does not distinguish. */
export function withoutPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
