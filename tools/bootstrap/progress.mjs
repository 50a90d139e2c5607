const isTerminal = Boolean(process.stderr.isTTY);

/**
 * Shows a step while it works: a line that counts seconds in a terminal, a line now and then elsewhere.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const begin = Date.now();
  const seconds = () => ((Date.now() - begin) / 1000).toFixed(1);
  const show = isTerminal
    ? () => process.stderr.write(`\r  … ${title} ${seconds()} s`)
    : () => process.stderr.write(`  … ${title} (${seconds()} s)\n`);
  if (!isTerminal) process.stderr.write(`  … ${title}\n`);
  const timer = setInterval(show, isTerminal ? 200 : 15_000);
  const clear = () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\x1b[K');
  };
  try {
    const result = await work();
    clear();
    process.stderr.write(`  ✓ ${title} (${seconds()} s)\n`);
    return result;
  } catch (error) {
    clear();
    process.stderr.write(`  ✗ ${title} (${seconds()} s)\n`);
    throw error;
  }
}
