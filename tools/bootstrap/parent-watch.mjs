const INTERVAL_MS = 500;

/**
 * Calls `then` once when the shell in which npm started this process has ended. A signal that is sent to npm ends that
 * shell, and the shell does not forward it. Without npm nothing is watched.
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
