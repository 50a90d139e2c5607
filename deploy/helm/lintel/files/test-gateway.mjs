// Run by `helm test`: whether the release responds as an installation of its public URL does.
import http from 'node:http';
import https from 'node:https';

const [gatewayUrl, publicUrl] = process.argv.slice(1);
const { host } = new URL(publicUrl);

/** The certificate of the gateway is for its public name, not for that of the Service, and is not examined. */
const get = (path) =>
  new Promise((resolve, reject) => {
    const options = { headers: { host }, rejectUnauthorized: false, agent: false, timeout: 20_000 };
    const request = (gatewayUrl.startsWith('https:') ? https : http).get(gatewayUrl + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.on('timeout', () => request.destroy(new Error('no response within 20 s')));
    request.on('error', reject);
  });

const CHECKS = {
  'the gateway is ready': async () => (await get('/health/ready')).status === 200,
  'auth is reached, and issues tokens of the public URL': async () => {
    const { status, text } = await get('/.well-known/openid-configuration');
    return status === 200 && JSON.parse(text).issuer.replace(/\/$/, '') === publicUrl;
  },
  // What callers without a token may do depends on the application.
  'data is reached': async () => (await get('/rest/metadata/entities')).status < 500,
};

for (const [name, check] of Object.entries(CHECKS)) {
  const isPassed = await check().catch((error) => {
    console.log(error.message);
    return false;
  });
  console.log(`${isPassed ? 'passed' : 'FAILED'}: ${name}`);
  if (!isPassed) process.exitCode = 1;
}
