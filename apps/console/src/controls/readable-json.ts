type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

const parse = JSON.parse as (text: string, revive: Reviver) => unknown;
/** Absent in browsers before 2025: numbers then have the digits of a double. */
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

/** JSON with line breaks, its numbers with all their digits; a text that is no JSON as it is. */
export function readableJson(text: string): string {
  const keepDigits: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined && rawJSON !== undefined
      ? rawJSON(context.source)
      : value;
  try {
    return JSON.stringify(parse(text, keepDigits), null, 2);
  } catch {
    return text;
  }
}
