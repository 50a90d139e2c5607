import { randomBytes } from 'node:crypto';
import type { Reply } from '../client/send-request.ts';
import { SCIM_TOKEN } from '../system/hostile-provider.ts';
import { INITIAL_ACCESS_TOKEN } from '../system/initial-access-token.ts';
import { type Attack, type Attacker, atOnce } from './attack.ts';

const REDIRECT = 'https://app.example/callback';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const PATH = '/as-login/provider/hostile';
const MAX_BLOCK_MS = 100;

/** Responses as large as they may be, each with as much as possible of one kind, and beyond. */
const AT_LIMITS: readonly string[] = [
  '<a b="">c</a>'.repeat(990),
  `${'<a xmlns:b="c">'.repeat(28)}${'</a>'.repeat(28)}`.repeat(35),
  `<a ${Array.from({ length: 50 }, (_, at) => `a${at}=""`).join(' ')}/>`.repeat(150),
  'x&lt;'.repeat(12_000),
];
const BEYOND: readonly string[] = [
  `${Array.from({ length: 7_000 }, (_, at) => `<a xmlns:n${at}="u">`).join('')}${'</a>'.repeat(7_000)}`,
  '<a/>'.repeat(20_000),
  `<a ${Array.from({ length: 10_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
  '<!--'.repeat(20_000),
  '<![CDATA['.repeat(8_000),
  '<a b="'.repeat(14_000),
];

const responseOf = (content: string): string =>
  Buffer.from(`<samlp:Response xmlns:samlp="${PROTOCOL}">${content}</samlp:Response>`).toString('base64');

const post = ({ send }: Attacker, path: string, form: Readonly<Record<string, string>>, cookie = ''): Promise<Reply> =>
  send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams(form).toString(),
  });

const locationOf = ({ headers, status, text }: Reply): string => {
  if (typeof headers['location'] !== 'string') throw new Error(`No redirect: ${status} ${text}`);
  return headers['location'];
};

/** Presses the button of the provider that often; returns what each response must repeat. */
async function pressed(attacker: Attacker, times: number): Promise<readonly string[]> {
  const registered = await attacker.send({
    method: 'POST',
    path: '/oauth2/register',
    headers: { authorization: `Bearer ${INITIAL_ACCESS_TOKEN}`, 'content-type': 'application/json' },
    body: { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
  });
  const { client_id } = JSON.parse(registered.text) as { readonly client_id: string };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: REDIRECT,
    code_challenge_method: 'S256',
    code_challenge: randomBytes(32).toString('base64url'),
  });
  const begun = await attacker.send({ method: 'GET', path: `/oauth2/authorize?${query}` });
  const cookie = [begun.headers['set-cookie'] ?? []]
    .flat()
    .map((text) => text.split(';')[0])
    .join('; ');
  const page = await attacker.send({ method: 'GET', path: locationOf(begun), headers: { cookie } });
  const href = /href="([^"]*\/provider\/hostile[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const replies = await atOnce(times, 5, () => attacker.send({ method: 'GET', path: href, headers: { cookie } }));
  return replies.map((reply) => new URL(locationOf(reply)).searchParams.get('RelayState') ?? '');
}

let states: readonly string[] = [];

const scim = ({ send }: Attacker, body: string): Promise<Reply> =>
  send({
    method: 'POST',
    path: '/scim/v2/Groups',
    headers: { authorization: `Bearer ${SCIM_TOKEN}`, 'content-type': 'application/scim+json' },
    body,
  });

/** Documents of identity providers (X): XML and JSON are counted before they are parsed. */
export const XML_ATTACKS: readonly Attack[] = [
  {
    finding: 'X1',
    title: 'SAML responses at the limits, twenty at a time, are refused in time',
    sender: 'anonymous',
    prepare: async (attacker) => {
      states = await pressed(attacker, 20);
    },
    run: (attacker) =>
      atOnce(states.length, 20, (at) =>
        post(attacker, `${PATH}/acs`, {
          SAMLResponse: responseOf(AT_LIMITS[at % AT_LIMITS.length] ?? ''),
          RelayState: states[at] ?? '',
        }),
      ),
    statuses: [303],
    maxBlockMs: MAX_BLOCK_MS,
  },
  {
    finding: 'X2',
    title: 'SAML messages beyond the limits, twenty at a time, are refused in time',
    sender: 'anonymous',
    run: async (attacker) => [
      ...(await atOnce(60, 20, (at) =>
        post(attacker, `${PATH}/acs`, { SAMLResponse: responseOf(BEYOND[at % BEYOND.length] ?? '') }),
      )),
      ...(await atOnce(20, 20, (at) =>
        post(attacker, `${PATH}/single-logout`, { SAMLRequest: responseOf(AT_LIMITS[at % AT_LIMITS.length] ?? '') }),
      )),
    ],
    statuses: [400, 413],
    maxBlockMs: MAX_BLOCK_MS,
  },
  {
    finding: 'X3',
    title: 'SCIM bodies with too many levels or values are refused in time',
    sender: 'anonymous',
    run: async (attacker) => [
      await scim(attacker, `${'['.repeat(500_000)}${']'.repeat(500_000)}`),
      await scim(attacker, '{"a":'.repeat(180_000)),
      await scim(attacker, `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(',')}}`),
      await scim(attacker, `{${Array.from({ length: 39_000 }, (_, at) => `"k${at}":1`).join(',')}}`),
      await scim(attacker, JSON.stringify({ members: Array.from({ length: 8_000 }, (_, at) => ({ value: `${at}` })) })),
    ],
    statuses: [400],
    maxBlockMs: MAX_BLOCK_MS,
  },
];
