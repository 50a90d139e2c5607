/** Ends the servers that the global setup started; nothing when the test runner owns them. */
export default async function globalTeardown() {
  await globalThis.__LINTEL_TEST_HOST__?.stop();
}
