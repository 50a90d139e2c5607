/** The folder of the built page: `index.html`, and files whose names have a hash of their content in `assets`. */
export const bundleFolder = new URL('../dist/bundle/', import.meta.url);
