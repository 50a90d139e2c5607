import type { Application } from '@lintel/application';
import dispatch from '@lintel/example-dispatch';
import sales from '@lintel/example-sales';
import { cloneTestDatabase, createTestVhost } from '@lintel/testkit';
import { schemaOf } from '../schema-of.ts';

/** Both applications, by their names. */
export const APPLICATIONS = { sales, dispatch } satisfies Record<string, Application>;
export type ApplicationName = keyof typeof APPLICATIONS;

export const USERS = { admin: { resourceRoles: ['system-full-access'] } };

/** A database for each application, and the virtual host that they share. */
export async function createBackends(name: string) {
  const [salesDatabase, dispatchDatabase, vhost] = await Promise.all([
    cloneTestDatabase(schemaOf(sales.model), `${name}-sales`),
    cloneTestDatabase(schemaOf(dispatch.model), `${name}-dispatch`),
    createTestVhost(name),
  ]);
  return {
    databases: { sales: salesDatabase, dispatch: dispatchDatabase },
    vhost,
    settings: { 'svc.events.broker-urls': vhost.url },
    drop: async () => void (await Promise.all([salesDatabase.drop(), dispatchDatabase.drop(), vhost.drop()])),
  };
}

/** Ends the test with the response unless a request returned this status; returns its body. */
export type Send = (method: string, path: string, body?: unknown, status?: number) => Promise<{ readonly id: string }>;

/** A new order without a confirmation; returns its id. */
export async function createOrder(send: Send, number: string): Promise<string> {
  const customer = await send('POST', '/entities/sales_Customer', { name: `Customer of ${number}` }, 201);
  const order = { number, date: '2026-11-30', customer: { id: customer.id } };
  return (await send('POST', '/entities/sales_Order', order, 201)).id;
}
