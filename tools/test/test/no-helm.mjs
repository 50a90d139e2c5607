/** Variables of a machine that has a browser, no Helm, and nothing to build one with. The folder is an empty cache. */
export const noHelm = (folder) => ({
  LINTEL_TEST_CHROMIUM_PROGRAM: process.execPath,
  LINTEL_TEST_HELM_PROGRAM: '',
  LINTEL_CACHE: folder,
  GOMODCACHE: folder,
  GOPROXY: 'off',
});
