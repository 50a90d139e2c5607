const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1_000;

/** A number of bytes in the largest unit of which there is one, in the form of the language. */
export function formatSize(bytes: number, locale: string): string {
  let value = bytes;
  let at = 0;
  while (value >= STEP && at < UNITS.length - 1) {
    value /= STEP;
    at += 1;
  }
  const options = {
    style: 'unit',
    unit: UNITS[at] ?? 'byte',
    // The short form of bytes has no plural.
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: at === 0 ? 0 : 1,
  } as const;
  return new Intl.NumberFormat(locale, options).format(value);
}
