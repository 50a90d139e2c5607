// Run by `helm test`: whether the release responds as an installation of its public URL does. Each check is repeated
// until it passes or the time is over: the Service of this test, and names that a DNS server caches, need a while.
import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';

const [gatewayUrl, publicUrl, managementUrl, seconds] = process.argv.slice(1);
const { host } = new URL(publicUrl);
const endMs = Date.now() + 1000 * Number(seconds);
const SERVICES = ['auth', 'data', 'files', 'reports'];

/** The certificate of the gateway is for its public name, not for that of the Service, and is not examined. */
const get = (url, headers = {}) =>
  new Promise((resolve, reject) => {
    const options = { headers, rejectUnauthorized: false, agent: false, timeout: 20_000 };
    const request = (url.startsWith('https:') ? https : http).get(url, options, (response) => {
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
const getPublic = (path) => get(gatewayUrl + path, { host });

/** Each gives what is wrong, or nothing. */
const CHECKS = {
  'the gateway is ready': async () => {
    const { status } = await getPublic('/health/ready');
    return status === 200 ? undefined : `status ${status}`;
  },
  'tokens have the public URL as their issuer': async () => {
    const { status, text } = await getPublic('/.well-known/openid-configuration');
    if (status !== 200) return `status ${status}`;
    const { issuer } = JSON.parse(text);
    return issuer.replace(/\/$/, '') === publicUrl ? undefined : `the issuer is ${issuer}`;
  },
  ...Object.fromEntries(
    SERVICES.map((name) => [
      `${name} is reached and ready`,
      async () => {
        const { services } = JSON.parse((await get(`${managementUrl}/health/services`)).text);
        return services[name].status === 'unavailable' ? 'no replica is ready' : undefined;
      },
    ]),
  ),
};

for (const [name, check] of Object.entries(CHECKS)) {
  const attempt = () => check().catch((error) => error.message);
  let problem = await attempt();
  while (problem !== undefined && Date.now() < endMs) {
    await setTimeout(1000);
    problem = await attempt();
  }
  console.log(problem === undefined ? `passed: ${name}` : `FAILED: ${name}: ${problem}`);
  if (problem !== undefined) process.exitCode = 1;
}
