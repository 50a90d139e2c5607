/**
 * Lets work run that is awaited later, so that waiting for a backend and reading the application overlap. If the
 * process ends for another reason first, an error of the work is not reported.
 */
export function beginEarly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {}); // thrown where the work is awaited
  return work;
}
