/** The wait before a further attempt, doubled each time; a random part keeps clients apart that failed together. */
export const backoffMs = (attempt: number): number => Math.min(10_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
