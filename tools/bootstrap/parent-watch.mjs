const INTERVAL_MS = 500;

/**
 * Calls `then` once when the shell is gone that npm started us in. A signal that is sent to npm ends that
 * shell, and the shell tells nobody. Without npm nothing is watched.
 *
 * @param {() => void} then
 */
export function whenParentIsGone(then) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || parent === 1) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, INTERVAL_MS);
  timer.unref();
}
