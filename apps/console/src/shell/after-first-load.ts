const AFTER_MS = 3_000;

/** Loads a component after what the user waits for first. */
export const afterFirstLoad = async <T>(load: () => Promise<T>): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  return load();
};
