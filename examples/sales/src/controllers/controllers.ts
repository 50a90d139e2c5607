import { controller } from '@lintel/application';

export const CONTROLLERS = [
  controller('GET', '/rest/sales/public/ping', async () => ({
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: 'pong',
  })),
  controller('GET', '/rest/sales/whoami', async ({ username }) => ({ body: { username } })),
];
