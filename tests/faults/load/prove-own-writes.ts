// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { uniqueName } from '@lintel/testkit';
import { createGatewayCaller } from '../gateway-caller.ts';

/** Requests after a write; services distribute them over their replicas. */
const READS = 8;
const ROUNDS = 5;
const RUN = uniqueName('own').replaceAll(/\W/g, '').slice(-12);

type Send = (method: string, path: string, body?: unknown, more?: Record<string, string>) => Promise<Response>;

/** Sends as an administrator, through one gateway after the other. */
async function sender(urls: readonly string[]): Promise<Send> {
  const admin = await createGatewayCaller(urls[0] ?? '').tokenOf('client', 'admin');
  let count = 0;
  return (method, path, body, more = {}) => {
    count += 1;
    const isText = typeof body === 'string';
    const type = isText ? 'text/csv' : 'application/json';
    const headers = { authorization: `Bearer ${admin}`, 'content-type': type, ...more };
    const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) };
    return fetch(`${urls[count % urls.length]}/rest${path}`, { method, headers, ...sent });
  };
}

async function acknowledged(response: Promise<Response>): Promise<Record<string, string>> {
  const { ok, status, url } = await response;
  const text = await (await response).text();
  if (!ok) throw new Error(`${status} ${url} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

const manyTimes = (ask: () => Promise<unknown>): Promise<readonly unknown[]> =>
  Promise.all(Array.from({ length: READS }, ask));

interface Proof {
  /** Changes something, and returns what the next requests must see. */
  write(round: number): Promise<unknown>;
  read(): Promise<unknown>;
}

/** One proof for each cache with `before the response` that every process has; `queries` needs an application. */
const PROOFS: Readonly<Record<string, (send: Send, urls: readonly string[]) => Promise<Proof>>> = {
  reports: async (send) => {
    const code = `r-${RUN}`;
    const group = await acknowledged(send('POST', '/entities/report_ReportGroup', { title: code }));
    const fileOf = async (head: string) =>
      (await acknowledged(send('POST', '/files?name=a.csv', `${head}\n\${number}\n`)))['fileRef'];
    const query = 'select o.number as number from sales_Order o';
    const bands = [{ name: 'Orders', dataSets: [{ kind: 'query', name: 'orders', query }] }];
    const reportOf = async (head: string) => ({
      ...{ name: code, code, restAccess: true, group: { id: group['id'] }, definition: JSON.stringify({ bands }) },
      templates: [
        { code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'a.csv', content: await fileOf(head) },
      ],
    });
    let id: string | undefined;
    return {
      async write(round) {
        const path = `/entities/report_Report${id === undefined ? '' : `/${id}`}`;
        const body = await reportOf(`Head ${round}`);
        id = (await acknowledged(send(id === undefined ? 'POST' : 'PUT', path, body)))['id'];
        return `"Head ${round}"`;
      },
      read: async () => (await (await send('POST', `/reports/run/code/${code}`, {})).text()).split('\n')[0],
    };
  },
  roles: async (send, urls) => {
    const code = `role-${RUN}`;
    const role = await acknowledged(
      send('POST', '/entities/sec_ResourceRole', { code, name: code, scopes: ['API'], childRoles: ['rest-minimal'] }),
    );
    const username = `u-${RUN}`;
    await acknowledged(send('POST', '/entities/sec_User', { username, password: 'a long secret word', active: true }));
    await acknowledged(
      send('POST', '/entities/sec_RoleAssignment', { username, roleCode: code, roleType: 'resource' }),
    );
    const form = { grant_type: 'password', username, password: 'a long secret word' };
    const login = await createGatewayCaller(urls[0] ?? '').post('/oauth/token', 'client', form);
    const token = ((await login.json()) as { access_token: string }).access_token;
    return {
      async write(round) {
        const policy = { type: 'entity', resource: 'sales_Product', action: 'read' };
        const resourcePolicies = round % 2 === 0 ? [policy] : [];
        await acknowledged(send('PUT', `/entities/sec_ResourceRole/${role['id']}`, { resourcePolicies }));
        return round % 2 === 0 ? 200 : 403;
      },
      read: async () =>
        (await send('GET', '/entities/sales_Product?limit=1', undefined, { authorization: `Bearer ${token}` })).status,
    };
  },
  messages: async (send) => {
    const values = { key: 'sales/Product', locale: 'en' };
    const message = await acknowledged(send('POST', '/entities/sys_Message', { ...values, text: 'x' }));
    return {
      async write(round) {
        await acknowledged(send('PUT', `/entities/sys_Message/${message['id']}`, { text: `Goods ${round}` }));
        return `Goods ${round}`;
      },
      read: async () =>
        (await acknowledged(send('GET', '/messages/entities/sales_Product?locale=en')))['sales_Product'],
    };
  },
  'dynamic-attributes': async (send) => {
    let code = '';
    return {
      async write(round) {
        code = `extra${RUN}${round}`;
        const categoryAttrs = [{ name: code, code, dataType: 'STRING' }];
        const category = { name: code, entityType: 'sales_Product', categoryAttrs };
        await acknowledged(send('POST', '/entities/dynat_Category', category));
        return 200;
      },
      read: async () => {
        const filter = JSON.stringify({ conditions: [{ property: `+${code}`, operator: '=', value: 'x' }] });
        const path = `/entities/sales_Product/search?filter=${encodeURIComponent(filter)}&dynamicAttributes=true`;
        return (await send('GET', path)).status;
      },
    };
  },
  clients: async (send, urls) => {
    const clientId = `c-${RUN}`;
    const path = `/clients/${clientId}`;
    const secrets: string[] = [];
    const enable = (enabled: boolean) => acknowledged(send('PUT', path, { resourceRoles: ['rest-minimal'], enabled }));
    /** The statuses for the secret so far and the one before. */
    const steps: readonly (() => Promise<readonly number[]>)[] = [
      async () => {
        const created = send('POST', '/clients', { clientId, resourceRoles: ['rest-minimal'] });
        secrets.unshift(String((await acknowledged(created))['clientSecret']));
        return [200];
      },
      async () => {
        const { secrets: old } = (await (await send('GET', path)).json()) as {
          readonly secrets: readonly { readonly id: string }[];
        };
        secrets.unshift(String((await acknowledged(send('POST', `${path}/secrets`)))['clientSecret']));
        await acknowledged(send('DELETE', `${path}/secrets/${old[0]?.id}`));
        return [200, 401];
      },
      () => enable(false).then(() => [401, 401]),
      () => enable(true).then(() => [200, 401]),
      () => acknowledged(send('DELETE', path)).then(() => [401, 401]),
    ];
    const statusWith = async (secret: string): Promise<number> => {
      const { status } = await fetch(`${urls[Math.floor(Math.random() * urls.length)]}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      return status;
    };
    return { write: async (round) => steps[round]?.(), read: () => Promise.all(secrets.map(statusWith)) };
  },
  sessions: async (send) => ({
    async write(round) {
      const locale = round % 2 === 0 ? 'de' : 'en';
      await acknowledged(send('PUT', '/user-session/locale', undefined, { 'accept-language': locale }));
      return locale;
    },
    read: async () => (await acknowledged(send('GET', '/userInfo')))['locale'],
  }),
};

/** @param urls of the gateways; each service has several replicas */
export async function proveOwnWrites(urls: readonly string[]): Promise<void> {
  const send = await sender(urls);
  for (const [cache, createProof] of Object.entries(PROOFS)) {
    const proof = await createProof(send, urls);
    for (let round = 0; round < ROUNDS; round += 1) {
      const written = await proof.write(round);
      expect([cache, round, ...(await manyTimes(() => proof.read()))]).toEqual([
        ...[cache, round],
        ...Array.from({ length: READS }, () => written),
      ]);
    }
  }
}
