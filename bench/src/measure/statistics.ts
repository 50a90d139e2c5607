/** The value that `share` of the ascending values do not exceed; 0 where there are none. */
export const quantileOf = (ascending: readonly number[], share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.max(0, Math.ceil(ascending.length * share) - 1))] ?? 0;

/** The middle value, or the mean of the two in the middle; 0 where there are none. */
export function medianOf(values: readonly number[]): number {
  const ascending = [...values].sort((left, right) => left - right);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? 0;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? upper) + upper) / 2;
}

/** Slope of the line that fits the points best; 0 for fewer than two. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return spread > 0 ? points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread : 0;
}
