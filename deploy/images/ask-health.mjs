import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

/**
 * Asks a process of this machine for `/health/ready`. Its certificate, where it has one, is for its public name,
 * not for a loopback address, and is not looked at.
 *
 * @param {string} url
 * @param {number} timeoutMs
 * @returns {Promise<{ status: number, text: string }>}
 */
export function askHealth(url, timeoutMs) {
  return new Promise((resolve, reject) => {
    const options = { signal: AbortSignal.timeout(timeoutMs), rejectUnauthorized: false, agent: false };
    const receive = (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', reject);
    };
    (url.startsWith('https:') ? getSecurely : get)(`${url}/health/ready`, options, receive).on('error', reject);
  });
}
