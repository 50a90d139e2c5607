/** Whether a field has no value, as its control returns it. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
