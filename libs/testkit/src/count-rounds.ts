/** Returns how often the event loop goes round while work is done: 0 if it is done in one step. */
export async function countRounds(work: () => unknown): Promise<number> {
  let rounds = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    rounds += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return rounds;
}
