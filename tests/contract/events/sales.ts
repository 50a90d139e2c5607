import { type EventStream, eventually, openEventStream } from '@lintel/testkit';
import { as, baseUrl, query, type Response, tokenOf, unique, withinASecond } from '../api.ts';
import { type NewUser, newUser } from '../new-user.ts';

/** Complaints of customers: without a reason, and with one. */
export const [COMPLAINED_1, COMPLAINED] = ['sales.order-complained.v1', 'sales.order-complained.v2'] as const;
export const STATUS_CHANGED = 'sales.order-status-changed.v1';

/** Publishes {@link COMPLAINED}, without a reason {@link COMPLAINED_1}. */
export const complain = (orderId: string, text: string, reason?: string, headers = {}): Promise<Response> =>
  as('manager', 'POST', '/services/sales_OrderService/complain', { body: { orderId, text, reason }, headers });

/** Complains, and expects that it is accepted. */
export async function complained(orderId: string, text: string, reason?: string): Promise<void> {
  const { status, text: response } = await complain(orderId, text, reason);
  expect([status, response]).toEqual([204, '']);
}

export async function changeOrder(id: string, body: object): Promise<void> {
  expect((await as('admin', 'PUT', `/entities/sales_Order/${id}`, { body })).status).toBe(200);
}

/** The complaints that the handler of the application has noted. */
export async function notesOf(order: string): Promise<readonly string[]> {
  const { notes } = (await as('admin', 'GET', `/entities/sales_Order/${order}`)).json();
  return typeof notes === 'string' ? notes.split('\n') : [];
}

export interface ShownHandler {
  readonly name: string;
  readonly paused: boolean;
  readonly waiting: number;
  readonly deadLetters: number;
}

export async function handlerNamed(name: string): Promise<ShownHandler | undefined> {
  const handlers: readonly ShownHandler[] = (await as('admin', 'GET', '/operations/event-handlers')).json();
  return handlers.find((handler) => handler.name === name);
}

/** Waits until a handler has passed all events. */
export const untilIdle = (name: string) =>
  eventually(async () => expect(await handlerNamed(name)).toMatchObject({ waiting: 0 }));

export async function changeHandler(name: string, body: object): Promise<void> {
  expect((await as('admin', 'PUT', `/operations/event-handlers/${name}`, { body })).status).toBe(200);
}

const roles: { readonly code: string; readonly path: string }[] = [];

const policy = (type: string, resource: string, action: string) => ({ type, resource, action });
/** Attributes of webhooks may be changed, other ones seen. */
const allowing = (names: readonly string[]) =>
  names.map((name) => policy('entityAttribute', name, name.startsWith('sys_Webhook.') ? 'modify' : 'view'));

/** A user who may receive events, and read attributes; {@link removeRoles} removes the role, whose path is `role`. */
export async function userWith(
  permissions: readonly string[],
  attributes: readonly string[] = [],
): Promise<NewUser & { readonly role: string }> {
  const entities = new Set(attributes.map((name) => name.replace(/\..*$/, '')));
  const code = unique('events');
  const body = {
    ...{ name: code, code, scopes: ['API'], childRoles: ['rest-minimal'] },
    resourcePolicies: [
      ...permissions.map((resource) => policy('specific', resource, 'access')),
      ...[...entities].map((resource) => policy('entity', resource, resource === 'sys_Webhook' ? 'all' : 'read')),
      ...allowing(attributes),
    ],
  };
  const response = await as('admin', 'POST', '/entities/sec_ResourceRole', { body });
  expect(response.status).toBe(201);
  const path = `/entities/sec_ResourceRole/${response.json().id}`;
  roles.push({ code, path });
  const user = await newUser([code]);
  // All processes know the role.
  const headers = { authorization: `Bearer ${user.token}` };
  const permitted = () => as('admin', 'GET', '/permissions', { headers });
  expect((await withinASecond(permitted, ({ status }) => status === 200)).status).toBe(200);
  return { ...user, role: path };
}

export async function removeRoles(): Promise<void> {
  for (const { code, path } of roles.splice(0)) {
    const filter = { conditions: [{ property: 'roleCode', operator: '=', value: code }] };
    const assignments = (await as('admin', 'GET', `/entities/sec_RoleAssignment/search${query({ filter })}`)).json();
    for (const { id } of assignments)
      expect((await as('admin', 'DELETE', `/entities/sec_RoleAssignment/${id}`)).status).toBe(204);
    expect((await as('admin', 'DELETE', path)).status).toBe(204);
  }
}

/** A message of a feed of an event. */
export interface PublishedMessage {
  readonly type: string;
  readonly subject: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const streams: EventStream[] = [];
export function closeFeeds(): void {
  for (const stream of streams.splice(0)) stream.close();
}

/** Opens the feed of an event or entity, which gets everything from then on. */
export async function follow(token: string, name: string, parameters: Readonly<Record<string, unknown>> = {}) {
  const url = `${baseUrl}/rest/changes/${name}${query(parameters)}`;
  const stream = await openEventStream(url, { authorization: `Bearer ${token}` });
  streams.push(stream);
  await eventually(() => expect(stream.lastEventId).not.toBe(''));
  return stream;
}
/** Opens a feed that continues after the last message of an earlier one. */
export async function continueAfter({ lastEventId }: EventStream, token: string, name: string): Promise<EventStream> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': lastEventId };
  const stream = await openEventStream(`${baseUrl}/rest/changes/${name}`, headers);
  streams.push(stream);
  return stream;
}
export const followAsAdmin = async (name: string) => follow(await tokenOf('admin'), name);

/** Messages that a feed of an event has sent. */
export const publishedIn = ({ events }: EventStream): readonly PublishedMessage[] =>
  events.map(({ event, data }) => {
    expect(event).toBe('published');
    return JSON.parse(data) as PublishedMessage;
  });
