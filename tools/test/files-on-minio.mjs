import { runJest } from './stages.mjs';

/**
 * Runs the integration tests of the files service against a MinIO, also where the run has another S3 server.
 *
 * @param {Record<string, string>} servers the `LINTEL_TEST_*` variables
 * @returns {Promise<import('./stages.mjs').StageResult>}
 */
export async function testFilesOnMinio(servers) {
  const { startHost } = await import('@lintel/testkit/host');
  const host = await startHost(['minio']);
  try {
    for (const { backend, reason } of host.missing) {
      process.stdout.write(`      !!! ${backend} IS ABSENT (LINTEL_TEST_ALLOW_MISSING): ${reason}\n`);
      return { passed: 0, failed: 0, output: '' };
    }
    for (const { backend, origin, seconds } of host.origins)
      process.stdout.write(`      ${backend}: ${origin} (${seconds.toFixed(1)} s)\n`);
    const env = { ...process.env, ...servers, ...host.environment };
    return await runJest(['integration'], { env, parameters: ['services/files/'] });
  } finally {
    await host.stop();
  }
}
