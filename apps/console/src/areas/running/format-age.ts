/** A duration in seconds as people read it: `3 min`, `2 h`. */
export function formatAge(seconds: number, locale: string): string {
  const [unit, size] =
    seconds < 60
      ? (['second', 1] as const)
      : seconds < 3_600
        ? (['minute', 60] as const)
        : seconds < 86_400
          ? (['hour', 3_600] as const)
          : (['day', 86_400] as const);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  }).format(seconds / size);
}
